// step_table.cpp - columns of the step table.
#include "record/step_table.h"

namespace stiction {

void add_step_columns(bool quality, bool account, CsvRow& row) {
    row.add("step");
    row.add("t[s]");
    for (const std::string_view stage : kStageNames) row.add(std::string(stage) + "[s]");
    for (const char* column : {"step_time[s]",
                               "kinetic[J]",
                               "potential[J]",
                               "total[J]",
                               "px[N s]",
                               "py[N s]",
                               "pz[N s]",
                               "Lx[N m s]",
                               "Ly[N m s]",
                               "Lz[N m s]",
                               "contacts",
                               "islands",
                               "penetration_max[m]",
                               "penetration_mean[m]",
                               "iterations",
                               "pivots",
                               "passes",
                               "failures",
                               "fallbacks",
                               "residual",
                               "status",
                               "model",
                               "solver",
                               "projected_islands",
                               "projection_move[m]",
                               "projection_gain[J]",
                               "projection_status"}) {
        row.add(std::string_view(column));
    }
    if (quality) {
        for (const QualityColumn& column : kQualityColumns) {
            const std::string unit =
                column.unit.empty() ? "" : "[" + std::string(column.unit) + "]";
            row.add(std::string(column.name) + unit);
        }
    }
    row.add("joint_error[m]");
    row.add("joint_speed[m/s]");
    if (account) {
        for (const AccountColumn& column : kAccountColumns)
            row.add(std::string(column.name) + "[J]");
    }
    for (const char* column : {"projection_unsolved", "too_fast", "midpoint_fallbacks",
                               "narrowphase", "pairs", "bullet_pairs"})
        row.add(std::string_view(column));
}

void add_step_values(const StepRecord& r, CsvRow& row) {
    row.add(r.step);
    row.add(r.t);
    for (const double seconds : r.seconds) row.add(seconds);
    row.add(r.step_seconds);
    for (const double joules : {r.kinetic, r.potential, r.total()}) row.add(joules);
    for (const double x : r.momentum) row.add(x);
    for (const double x : r.angular) row.add(x);
    row.add(r.contacts);
    row.add(r.islands);
    row.add(r.penetration);
    row.add(r.contacts == 0 ? 0.0 : r.penetration_sum / r.contacts);
    for (const int count : {r.iterations, r.pivots, r.passes, r.failures, r.fallbacks}) {
        row.add(count);
    }
    row.add(r.residual);
    row.add(name(r.status));
    row.add(r.model);
    row.add(r.solver);
    row.add(r.projected_islands);
    row.add(r.projection_move);
    row.add(r.projection_gain);
    row.add(name(r.projection_status));
    if (r.quality) {
        for (const QualityColumn& column : kQualityColumns) row.add((*r.quality).*column.value);
    }
    row.add(r.joint_error);
    row.add(r.joint_speed);
    if (r.account) {
        for (const AccountColumn& column : kAccountColumns) row.add((*r.account).*column.value);
    }
    for (const int count :
         {r.projection_unsolved, r.fast_body == kNone ? 0 : 1, r.midpoint_fallbacks}) {
        row.add(count);
    }
    row.add(r.narrowphase);
    row.add(r.pairs);
    row.add(r.bullet_pairs);
}

void StepTable::start(bool quality, bool account) {
    add_step_columns(quality, account, rows_);
    rows_.end();
    write();
}

void StepTable::add(const StepRecord& record) {
    add_step_values(record, rows_);
    rows_.end();
    if (clock_.due(rows_.text().size())) write();
}

void StepTable::write() {
    file_.write(rows_.text());
    file_.flush();
    rows_.clear();
}

void StepTable::finish() {
    write();
    file_.finish();
}

}  // namespace stiction
