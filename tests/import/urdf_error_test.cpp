// Bad URDF files: each gives one message that names the place, the link or joint, and the fault.
#include "import/temporary_folder.h"
#include "import/urdf.h"

namespace stiction {
namespace {

std::string error_of(const std::string& text, const UrdfOptions& options = {}) {
    const TemporaryFolder folder;
    const std::string path = folder.write("r.urdf", text);
    return folder.error_of([&] { (void)import_urdf(path, options); });
}

// A robot with the links a and b, and what stands between.
std::string robot(const std::string& inside) {
    return "<robot name='r'>\n<link name='a'/>\n<link name='b'/>\n" + inside + "\n</robot>\n";
}
const std::string kEnds = "<parent link='a'/><child link='b'/>";

std::string joint(const std::string& type, const std::string& inside) {
    return robot("<joint name='j' type='" + type + "'>" + kEnds + "\n" + inside + "</joint>");
}

std::string link(const std::string& inside) {
    return "<robot name='r'>\n<link name='a'>\n" + inside + "\n</link>\n</robot>\n";
}
std::string inertial(const std::string& mass, const std::string& moments) {
    return link("<inertial><mass value='" + mass + "'/>\n<inertia " + moments + "/></inertial>");
}
std::string collision(const std::string& geometry) {
    return link("<collision>\n<geometry>" + geometry + "</geometry></collision>");
}

TEST(UrdfErrors, FilesThatAreNoRobots) {
    const TemporaryFolder folder;
    const auto error = [&](const std::string& name) {
        return folder.error_of([&] { (void)import_urdf(folder.path(name)); });
    };
    EXPECT_EQ(error("none.urdf"), "none.urdf: no such file; expected a robot (.urdf)");
    std::filesystem::create_directory(folder.path("folder"));
    EXPECT_EQ(error("folder"), "folder: is a directory; expected a robot (.urdf)");
    EXPECT_EQ(error_of(""), "r.urdf:1:1: not valid XML: Error document empty.");
    EXPECT_EQ(error_of("<robot name='r'>\n  <link name='a'>\n</robot>\n"),
              "r.urdf:3:1: not valid XML: Error reading end tag.");
    EXPECT_EQ(error_of("<world/>"), "r.urdf:1:1: found <world>; expected <robot>");
    EXPECT_EQ(error_of("<robot/>"), "r.urdf:1:1: <robot> has no name");
    EXPECT_EQ(error_of("<robot name='r'/>"),
              "r.urdf:1:1: the robot has no link; expected at least one");
    EXPECT_EQ(
        error_of("<robot name='r'>\n  <xacro:include filename='x'/>\n</robot>"),
        "r.urdf:2:3: found <xacro:include>; expected a URDF file: expand the xacro file first "
        "(xacro IN.xacro > OUT.urdf)");
    std::string deep;
    for (int i = 0; i < 100'000; ++i) deep += "<a>";
    EXPECT_EQ(error_of(deep), "r.urdf:1:193: more than 64 nested elements; robots have five");
    EXPECT_EQ(error_of(std::string((16U << 20) + 1, ' ')),
              "r.urdf: larger than 16 MiB; expected a robot (.urdf) of at most that");
}

TEST(UrdfErrors, Names) {
    EXPECT_EQ(error_of("<robot name='r'>\n<link/>\n</robot>"), "r.urdf:2:1: a link has no name");
    EXPECT_EQ(error_of(robot("<link name='a'/>")),
              "r.urdf:4:1: a second link named 'a'; the first is at r.urdf:2:1");
    EXPECT_EQ(error_of(robot("<joint type='fixed'/>")), "r.urdf:4:1: a joint has no name");
}

TEST(UrdfErrors, Trees) {
    const auto fixed = [](const std::string& name, const std::string& a, const std::string& b) {
        return "<joint name='" + name + "' type='fixed'><parent link='" + a + "'/><child link='" +
               b + "'/></joint>\n";
    };
    EXPECT_EQ(error_of(robot("")),
              "r.urdf:3:1: links 'a' and 'b' both have no parent; expected one root");
    EXPECT_EQ(error_of(robot(fixed("x", "a", "b") + fixed("y", "b", "a"))),
              "r.urdf:1:1: every link has a parent, so the joints make a loop; expected one root");
    EXPECT_EQ(error_of(robot("<link name='c'/>\n" + fixed("x", "a", "b") + fixed("y", "c", "b"))),
              "r.urdf:6:48: joint 'y': child: link 'b' has a parent already, by joint 'x' at "
              "r.urdf:5:1; expected a tree");
    EXPECT_EQ(error_of(robot("<link name='c'/>\n" + fixed("x", "b", "c") + fixed("y", "c", "b"))),
              "r.urdf:3:1: link 'b': is part of a loop of joints apart from the root 'a'; expected "
              "a tree");
}

TEST(UrdfErrors, Joints) {
    EXPECT_EQ(error_of(robot("<joint name='j'>" + kEnds + "</joint>")),
              "r.urdf:4:1: joint 'j': 'type' is missing");
    EXPECT_EQ(error_of(joint("revolut", "")),
              "r.urdf:4:1: joint 'j': unknown type 'revolut'; did you mean 'revolute'?");
    EXPECT_EQ(error_of(joint("planar", "")),
              "r.urdf:4:1: joint 'j': a planar joint is not supported; expected revolute, "
              "continuous, prismatic, fixed or floating");
    EXPECT_EQ(error_of(robot("<joint name='j' type='fixed'><child link='b'/></joint>")),
              "r.urdf:4:1: joint 'j': <parent> is missing");
    EXPECT_EQ(error_of(robot("<joint name='j' type='fixed'><parent link='a'/>\n<child "
                             "link='bb'/></joint>")),
              "r.urdf:5:1: joint 'j': child: there is no link 'bb'; expected one of: a, b");
    EXPECT_EQ(error_of(joint("revolute", "")),
              "r.urdf:4:1: joint 'j': <limit> is missing; a revolute joint needs one (a continuous "
              "joint does not)");
    EXPECT_EQ(error_of(joint("prismatic", "")),
              "r.urdf:4:1: joint 'j': <limit> is missing; a prismatic joint needs one");
    EXPECT_EQ(error_of(joint("revolute", "<limit lower='1' upper='-1' effort='1' velocity='1'/>")),
              "r.urdf:5:1: joint 'j': limit: lower limit 1 above upper limit -1");
    EXPECT_EQ(error_of(joint("revolute", "<limit lower='-1' upper='1' velocity='1'/>")),
              "r.urdf:5:1: joint 'j': limit: 'effort' is missing; expected a number");
    EXPECT_EQ(error_of(joint("continuous", "<axis xyz='0 0 0'/>")),
              "r.urdf:5:1: joint 'j': axis: the vector has no length; expected a direction");
    EXPECT_EQ(error_of(joint("continuous", "<axis xyz='0 1'/>")),
              "r.urdf:5:1: joint 'j': axis: xyz: found '0 1'; expected 3 numbers");
    EXPECT_EQ(error_of(joint("continuous", "<origin rpy='0 one 0'/>")),
              "r.urdf:5:1: joint 'j': origin: rpy: found '0 one 0'; expected 3 numbers");
    EXPECT_EQ(error_of(joint("continuous", "<dynamics damping='-2'/>")),
              "r.urdf:5:1: joint 'j': dynamics: damping: must be >= 0, got -2");
    EXPECT_EQ(error_of(joint("continuous", "<mimic joint='k'/>")),
              "r.urdf:5:1: joint 'j': mimic: there is no joint 'k'; expected one of: j");
    EXPECT_EQ(
        error_of(joint("continuous", "<mimic joint='j'/>")),
        "r.urdf:5:1: joint 'j': mimic: 'j' has no coordinate of its own; expected a revolute, "
        "continuous or prismatic joint without mimic");
}

TEST(UrdfErrors, Inertia) {
    const std::string off = " ixy='0' ixz='0' iyz='0'";
    EXPECT_EQ(error_of(link("<inertial><mass value='1'/></inertial>")),
              "r.urdf:3:1: link 'a': inertial: <inertia> is missing");
    EXPECT_EQ(error_of(inertial("-1", "ixx='1' iyy='1' izz='1'" + off)),
              "r.urdf:3:11: link 'a': mass: value: must be >= 0, got -1");
    EXPECT_EQ(error_of(inertial("1", "ixx='1' iyy='1'" + off)),
              "r.urdf:4:1: link 'a': inertia: 'izz' is missing; expected a number");
    EXPECT_EQ(error_of(inertial("1", "ixx='-1' iyy='1' izz='1'" + off)),
              "r.urdf:4:1: link 'a': inertia: ixx: must be >= 0, got -1");
    EXPECT_EQ(error_of(inertial("1", "ixx='1' iyy='1' izz='1' ixy='2' ixz='0' iyz='0'")),
              "r.urdf:4:1: link 'a': inertia: principal moments -1  1  3 kg m^2: must all be >= 0");
    const std::string long_rod_and_more = inertial("1", "ixx='1' iyy='1' izz='3'" + off);
    EXPECT_EQ(error_of(long_rod_and_more),
              "r.urdf:4:1: link 'a': inertia: principal moments 1 1 3 kg m^2: no body has these; "
              "expected the largest to be at most the sum of the others (with 'ignore: [inertia]' "
              "they are taken as written)");
    EXPECT_EQ(error_of(long_rod_and_more, {.ignore_inertia = true}), "");
    // Rounded figures of a plate; a link that has no mass; a point mass.
    EXPECT_EQ(error_of(inertial("1", "ixx='0.333' iyy='0.333' izz='0.667'" + off)), "");
    EXPECT_EQ(error_of(inertial("0", "ixx='0' iyy='0' izz='0'" + off)), "");
    EXPECT_EQ(error_of(inertial("1", "ixx='0' iyy='0' izz='0'" + off)), "");
}

TEST(UrdfErrors, Shapes) {
    EXPECT_EQ(error_of(link("<collision/>")),
              "r.urdf:3:1: link 'a': collision: <geometry> is missing");
    EXPECT_EQ(error_of(collision("")),
              "r.urdf:4:1: link 'a': geometry: is empty; expected box, sphere, cylinder or mesh");
    EXPECT_EQ(error_of(collision("<capsule radius='1' length='1'/>")),
              "r.urdf:4:1: link 'a': geometry: a 'capsule' is not supported; expected box, sphere, "
              "cylinder or mesh");
    EXPECT_EQ(error_of(collision("<box size='1 0 1'/>")),
              "r.urdf:4:11: link 'a': box: size: must be > 0, got 1 0 1");
    EXPECT_EQ(error_of(collision("<cylinder radius='1'/>")),
              "r.urdf:4:11: link 'a': cylinder: 'length' is missing; expected a number");
    EXPECT_EQ(error_of(collision("<mesh/>")), "r.urdf:4:11: link 'a': mesh: 'filename' is missing");
    EXPECT_EQ(error_of(collision("<mesh filename='w.stl' scale='1 0 1'/>")),
              "r.urdf:4:11: link 'a': mesh: scale: must not be 0");
}

// The end of a tag in an attribute's value ends no element: TinyXML recurses into what it sees.
TEST(UrdfErrors, NestingHiddenInAttributes) {
    const TemporaryFolder folder;
    std::string text = "<robot name=\"r\">";
    for (int i = 0; i < 50'000; ++i) text += "<a b=\"/>\">";
    folder.write("deep.urdf", text);
    EXPECT_EQ(folder.error_of([&] { (void)import_urdf(folder.path("deep.urdf"), {}); }),
              "deep.urdf:1:647: more than 64 nested elements; robots have five");
}

TEST(UrdfErrors, Meshes) {
    const TemporaryFolder folder;
    const auto error = [&](const std::string& name) {
        const std::string path =
            folder.write("r.urdf", collision("<mesh filename='" + name + "'/>"));
        return folder.error_of([&] { (void)import_urdf(path); });
    };
    EXPECT_EQ(error("none.stl"),
              "r.urdf:2:1: link 'a': mesh: 'none.stl' is not a file (looked for none.stl)");
    EXPECT_EQ(error("http://x/y.stl"),
              "r.urdf:2:1: link 'a': mesh: 'http://x/y.stl': expected a path, or one that starts "
              "with package:// or file://");
    EXPECT_EQ(error("package://things"),
              "r.urdf:2:1: link 'a': mesh: 'package://things': expected package://NAME/path");
    EXPECT_EQ(error("package://things/w.stl"),
              "r.urdf:2:1: link 'a': mesh: 'package://things/w.stl' is not in the packages given "
              "nor in a folder above the file; expected the folder that holds 'things' under "
              "'packages' (or 'ignore: [meshes]')");
    folder.write("words.txt", "no mesh");
    EXPECT_TRUE(
        error("words.txt")
            .starts_with(
                "r.urdf:2:1: link 'a': mesh: 'words.txt': words.txt: meshes of the kind '.txt' are "
                "not read"))
        << error("words.txt");
    folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n");
    EXPECT_TRUE(error("flat.obj")
                    .starts_with("r.urdf:2:1: link 'a': mesh: 'flat.obj': convex hull of 4 points"))
        << error("flat.obj");
}

// A file that is cut off or has a wrong character is an InputError or still a robot, never anything
// else.
TEST(UrdfErrors, DamagedFilesAreNoSurprise) {
    const std::string path = "tests/import/data/robot_description/urdf/arm.urdf";
    std::ifstream in(path);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    ASSERT_GT(text.size(), 3000U);
    const auto options = UrdfOptions{.packages = {std::filesystem::absolute("tests/import/data")}};
    const std::size_t end = text.rfind("</robot>");
    for (std::size_t size = 0; size < end; size += 17) {
        EXPECT_NE(error_of(text.substr(0, size), options), "") << "cut off after " << size;
    }
    const std::string wrong = "<>\"/=-x9 &";
    int loaded = 0, refused = 0;
    for (std::size_t at = 0; at < text.size(); at += 13) {
        std::string damaged = text;
        damaged[at] = wrong[at % wrong.size()];
        (error_of(damaged, options).empty() ? loaded : refused) += 1;
    }
    EXPECT_GT(loaded, 0);  // comments, names of things not read, numbers that are still numbers
    EXPECT_GT(refused, 0);
}

// What only urdfdom looks at comes with its words, and nothing goes to standard error.
TEST(UrdfErrors, UrdfdomIsQuiet) {
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    const std::string bad_visual = error_of(link("<visual><geometry/></visual>"));
    const std::string version = error_of("<robot name='r' version='7.0'><link name='a'/></robot>");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(bad_visual, "");  // visuals are not read
    EXPECT_TRUE(version.starts_with("r.urdf: not a valid URDF: ")) << version;
}

}  // namespace
}  // namespace stiction
