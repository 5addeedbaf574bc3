// The account of energy closes over all shipped scenes and models.
#include "step/account_runs.h"

namespace stiction {
namespace {

TEST(EnergyAccountLong, ClosesOverAllScenesAndModels) { expect_closed(shipped_names(), 300); }

}  // namespace
}  // namespace stiction
