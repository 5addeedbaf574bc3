// urdf_outline.cpp - checks of a URDF file that know lines and columns (TinyXML keeps them, urdfdom
// does not hand them on).
#include "import/urdf_outline.h"

#include <tinyxml.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <locale>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

#include "core/error.h"
#include "core/input_file.h"
#include "core/nearest.h"
#include "core/types.h"
#include "import/xml_levels.h"

namespace stiction {
namespace {

constexpr int kMaxLevels = 64;  // of nested elements: TinyXML recurses; URDF has five or so
// A moment of inertia may exceed the sum of the other two by this share of it: files give three
// digits or so, and those of a thin plate fail the inequality by rounding.
constexpr double kInertiaSlack = 1e-2;

enum class Sign { kAny, kNotNegative, kPositive };

// An attribute with numbers: how many, and what they may be.
struct NumberRule {
    const char* element;
    const char* attribute;
    std::size_t count;
    bool required;
    Sign sign;
};

constexpr NumberRule kNumberRules[] = {
    {"origin", "xyz", 3, false, Sign::kAny},
    {"origin", "rpy", 3, false, Sign::kAny},
    {"axis", "xyz", 3, true, Sign::kAny},
    {"limit", "lower", 1, false, Sign::kAny},
    {"limit", "upper", 1, false, Sign::kAny},
    {"limit", "effort", 1, true, Sign::kNotNegative},
    {"limit", "velocity", 1, true, Sign::kNotNegative},
    {"dynamics", "damping", 1, false, Sign::kNotNegative},
    {"dynamics", "friction", 1, false, Sign::kNotNegative},
    {"mimic", "multiplier", 1, false, Sign::kAny},
    {"mimic", "offset", 1, false, Sign::kAny},
    {"mass", "value", 1, true, Sign::kNotNegative},
    {"inertia", "ixx", 1, true, Sign::kNotNegative},
    {"inertia", "iyy", 1, true, Sign::kNotNegative},
    {"inertia", "izz", 1, true, Sign::kNotNegative},
    {"inertia", "ixy", 1, true, Sign::kAny},
    {"inertia", "ixz", 1, true, Sign::kAny},
    {"inertia", "iyz", 1, true, Sign::kAny},
    {"box", "size", 3, true, Sign::kPositive},
    {"sphere", "radius", 1, true, Sign::kPositive},
    {"cylinder", "radius", 1, true, Sign::kPositive},
    {"cylinder", "length", 1, true, Sign::kPositive},
    {"mesh", "scale", 3, false, Sign::kAny},
};

std::vector<std::string_view> views(const std::vector<std::string>& texts) {
    return {texts.begin(), texts.end()};
}

// The numbers of an attribute; empty when there is anything else in it.
std::vector<double> numbers_in(const std::string& text) {
    std::istringstream in(text);
    in.imbue(std::locale::classic());
    in.exceptions(std::ios::badbit);  // without memory it throws, and has not just no number
    std::vector<double> numbers;
    double x = 0;
    while (in >> x) {
        if (!std::isfinite(x)) return {};
        numbers.push_back(x);
    }
    return in.eof() ? numbers : std::vector<double>{};
}

// TinyXML takes a byte for the first of a UTF-8 character and goes on behind it, also where the text
// ends before; and it ends at a zero.
void check_characters(const std::string& text, const std::string& path) {
    const std::size_t zero = text.find('\0');
    if (zero != std::string::npos)
        throw InputError(place_in(text, zero, path) + ": a byte that is zero; XML has none");
    for (std::size_t left = 1; left <= std::min<std::size_t>(3, text.size()); ++left) {
        const auto c = static_cast<unsigned char>(text[text.size() - left]);
        const std::size_t length = c < 0xc2 || c > 0xf4 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
        if (length > left) {
            throw InputError(place_in(text, text.size() - left, path) +
                             ": the file ends in the middle of a character");
        }
    }
}

class Outliner {
  public:
    Outliner(const std::string& text, const std::string& path, bool any_inertia)
        : path_(path), any_inertia_(any_inertia) {
        const std::size_t deep = find_too_deep(text, kMaxLevels);
        if (deep != std::string::npos) {
            throw InputError(place_in(text, deep, path_) + ": more than " +
                             std::to_string(kMaxLevels) + " nested elements; robots have five");
        }
        check_characters(text, path_);
        document_.SetTabSize(1);
        document_.Parse(text.c_str());
        if (document_.Error()) {
            throw InputError(path_ + ":" + std::to_string(std::max(1, document_.ErrorRow())) + ":" +
                             std::to_string(std::max(1, document_.ErrorCol())) +
                             ": not valid XML: " + document_.ErrorDesc());
        }
    }

    UrdfOutline run() {
        const TiXmlElement* root = document_.RootElement();
        if (root == nullptr) throw InputError(path_ + ": the file is empty; expected <robot>");
        if (root->ValueStr() != "robot") {
            fail(*root, "found <" + root->ValueStr() + ">; expected <robot>");
        }
        if (attribute(*root, "name").empty()) fail(*root, "<robot> has no name");
        for (const TiXmlElement* e = root->FirstChildElement(); e; e = e->NextSiblingElement()) {
            if (e->ValueStr().starts_with("xacro:")) {
                fail(*e, "found <" + e->ValueStr() +
                             ">; expected a URDF file: expand the xacro file first "
                             "(xacro IN.xacro > OUT.urdf)");
            }
            if (e->ValueStr() == "link") enter(*e, "link", links_, link_named_);
            if (e->ValueStr() == "joint") enter(*e, "joint", joints_, joint_named_);
        }
        if (links_.empty()) fail(*root, "the robot has no link; expected at least one");
        for (const TiXmlElement* link : links_) check_link(*link);
        for (const TiXmlElement* joint : joints_) check_joint(*joint);
        check_mimics();
        return walk_tree(*root);
    }

  private:
    using Elements = std::vector<const TiXmlElement*>;
    using ByName = std::map<std::string, const TiXmlElement*>;

    [[nodiscard]] std::string place(const TiXmlElement& e) const {
        return path_ + ":" + std::to_string(e.Row()) + ":" + std::to_string(e.Column());
    }
    [[noreturn]] void fail(const TiXmlElement& e, const std::string& what) const {
        throw InputError(place(e) + ": " + what);
    }
    // In a link or joint: "file:3:5: link 'base': mass: must be ...".
    [[noreturn]] void fail_in(const TiXmlElement& owner, const TiXmlElement& e,
                              const std::string& what) const {
        fail(e, owner.ValueStr() + " '" + name(owner) +
                    "': " + (&owner == &e ? "" : e.ValueStr() + ": ") + what);
    }

    static std::string attribute(const TiXmlElement& e, const char* key) {
        const char* value = e.Attribute(key);
        return value == nullptr ? "" : value;
    }
    static std::string name(const TiXmlElement& e) { return attribute(e, "name"); }

    static std::vector<std::string> names(const Elements& elements) {
        std::vector<std::string> result;
        for (const TiXmlElement* e : elements) result.push_back(name(*e));
        return result;
    }
    static const TiXmlElement* find(const ByName& elements, const std::string& wanted) {
        const auto it = elements.find(wanted);
        return it == elements.end() ? nullptr : it->second;
    }

    void enter(const TiXmlElement& e, const std::string& what, Elements& all,
               ByName& by_name) const {
        if (name(e).empty()) fail(e, "a " + what + " has no name");
        const auto [first, is_new] = by_name.insert({name(e), &e});
        if (!is_new) {
            fail(e, "a second " + what + " named '" + name(e) + "'; the first is at " +
                        place(*first->second));
        }
        all.push_back(&e);
    }

    // Numbers of one element and all inside it, by the table of rules.
    void check_numbers(const TiXmlElement& owner, const TiXmlElement& e) const {
        for (const NumberRule& rule : kNumberRules) {
            if (e.ValueStr() == rule.element) check_rule(owner, e, rule);
        }
        for (const TiXmlElement* c = e.FirstChildElement(); c; c = c->NextSiblingElement()) {
            check_numbers(owner, *c);
        }
    }

    void check_rule(const TiXmlElement& owner, const TiXmlElement& e,
                    const NumberRule& rule) const {
        const std::string key = rule.attribute;
        const std::string expected =
            rule.count == 1 ? "a number" : std::to_string(rule.count) + " numbers";
        if (e.Attribute(rule.attribute) == nullptr) {
            if (rule.required) fail_in(owner, e, "'" + key + "' is missing; expected " + expected);
            return;
        }
        const std::string text = attribute(e, rule.attribute);
        const std::vector<double> found = numbers_in(text);
        if (found.size() != rule.count) {
            fail_in(owner, e, key + ": found '" + text + "'; expected " + expected);
        }
        const bool fits = std::all_of(found.begin(), found.end(), [&](double x) {
            return rule.sign == Sign::kAny || x > 0 || (rule.sign == Sign::kNotNegative && x == 0);
        });
        if (!fits) {
            fail_in(owner, e,
                    key + ": must be " + (rule.sign == Sign::kPositive ? "> 0" : ">= 0") +
                        ", got " + text);
        }
    }

    void check_link(const TiXmlElement& link) const {
        for (const TiXmlElement* e = link.FirstChildElement(); e; e = e->NextSiblingElement()) {
            if (e->ValueStr() == "inertial") {
                check_numbers(link, *e);
                check_inertia(link, *e);
            }
            if (e->ValueStr() == "collision") {
                check_numbers(link, *e);
                check_geometry(link, *e);
            }
        }
    }

    // Moments of a real body are positive and each is at most the sum of the others. Zero moments
    // are those of a point mass, which may be part of another link.
    void check_inertia(const TiXmlElement& link, const TiXmlElement& inertial) const {
        const TiXmlElement* mass = inertial.FirstChildElement("mass");
        if (mass == nullptr) fail_in(link, inertial, "<mass> is missing");
        const TiXmlElement* e = inertial.FirstChildElement("inertia");
        if (e == nullptr) fail_in(link, inertial, "<inertia> is missing");
        if (numbers_in(attribute(*mass, "value"))[0] == 0) return;
        const auto x = [&](const char* key) { return numbers_in(attribute(*e, key))[0]; };
        Mat3 I;
        I << x("ixx"), x("ixy"), x("ixz"), x("ixy"), x("iyy"), x("iyz"), x("ixz"), x("iyz"),
            x("izz");
        const Vec3 moments =
            Eigen::SelfAdjointEigenSolver<Mat3>(I, Eigen::EigenvaluesOnly).eigenvalues();
        const double slack = kInertiaSlack * moments[2];
        std::ostringstream text;
        text << "principal moments " << moments.transpose() << " kg m^2: ";
        if (moments[0] < -1e-9 * moments[2]) fail_in(link, *e, text.str() + "must all be >= 0");
        if (!any_inertia_ && moments[2] > moments[0] + moments[1] + slack) {
            fail_in(link, *e,
                    text.str() +
                        "no body has these; expected the largest to be at most the sum of "
                        "the others (with 'ignore: [inertia]' they are taken as written)");
        }
    }

    void check_geometry(const TiXmlElement& link, const TiXmlElement& collision) const {
        const TiXmlElement* geometry = collision.FirstChildElement("geometry");
        if (geometry == nullptr) fail_in(link, collision, "<geometry> is missing");
        const TiXmlElement* shape = geometry->FirstChildElement();
        if (shape == nullptr) {
            fail_in(link, *geometry, "is empty; expected box, sphere, cylinder or mesh");
        }
        const std::string kind = shape->ValueStr();
        if (kind != "box" && kind != "sphere" && kind != "cylinder" && kind != "mesh") {
            fail_in(link, *geometry,
                    "a '" + kind + "' is not supported; expected box, sphere, cylinder or mesh");
        }
        if (kind == "mesh" && attribute(*shape, "filename").empty()) {
            fail_in(link, *shape, "'filename' is missing");
        }
        if (kind == "mesh" && shape->Attribute("scale") != nullptr) {
            for (const double x : numbers_in(attribute(*shape, "scale"))) {
                if (x == 0) fail_in(link, *shape, "scale: must not be 0");
            }
        }
    }

    void check_joint(const TiXmlElement& joint) const {
        static constexpr std::string_view kTypes[] = {"revolute", "continuous", "prismatic",
                                                      "fixed",    "floating",   "planar"};
        const std::string type = attribute(joint, "type");
        if (type.empty()) fail_in(joint, joint, "'type' is missing");
        if (std::find(std::begin(kTypes), std::end(kTypes), type) == std::end(kTypes)) {
            fail_in(joint, joint,
                    "unknown type '" + type + "'" +
                        suggestion(type, {std::begin(kTypes), std::end(kTypes)}));
        }
        if (type == "planar") {
            fail_in(joint, joint,
                    "a planar joint is not supported; expected revolute, continuous, prismatic, "
                    "fixed or floating");
        }
        for (const char* end : {"parent", "child"}) check_end(joint, end);
        check_numbers(joint, joint);
        if (const TiXmlElement* axis = joint.FirstChildElement("axis")) {
            const std::vector<double> x = numbers_in(attribute(*axis, "xyz"));
            if (type != "fixed" && type != "floating" && Vec3(x[0], x[1], x[2]).norm() < 1e-9) {
                fail_in(joint, *axis, "the vector has no length; expected a direction");
            }
        }
        if (type == "revolute" || type == "prismatic") check_limit(joint, type);
    }

    void check_end(const TiXmlElement& joint, const char* end) const {
        const TiXmlElement* e = joint.FirstChildElement(end);
        if (e == nullptr) fail_in(joint, joint, "<" + std::string(end) + "> is missing");
        const std::string link = attribute(*e, "link");
        if (link.empty()) fail_in(joint, *e, "'link' is missing");
        if (find(link_named_, link) == nullptr) {
            fail_in(joint, *e,
                    "there is no link '" + link + "'" + suggestion(link, views(names(links_))));
        }
    }

    void check_limit(const TiXmlElement& joint, const std::string& type) const {
        const TiXmlElement* limit = joint.FirstChildElement("limit");
        if (limit == nullptr) {
            fail_in(joint, joint,
                    "<limit> is missing; a " + type + " joint needs one" +
                        (type == "revolute" ? " (a continuous joint does not)" : ""));
        }
        const auto value = [&](const char* key) {
            return limit->Attribute(key) ? numbers_in(attribute(*limit, key))[0] : 0.0;
        };
        if (value("lower") > value("upper")) {
            std::ostringstream text;
            text << "lower limit " << value("lower") << " above upper limit " << value("upper");
            fail_in(joint, *limit, text.str());
        }
    }

    // A joint may follow another that has a coordinate of its own.
    void check_mimics() const {
        for (const TiXmlElement* joint : joints_) {
            const TiXmlElement* mimic = joint->FirstChildElement("mimic");
            if (mimic == nullptr) continue;
            const std::string other_name = attribute(*mimic, "joint");
            const TiXmlElement* other = find(joint_named_, other_name);
            if (other == nullptr) {
                fail_in(*joint, *mimic,
                        "there is no joint '" + other_name + "'" +
                            suggestion(other_name, views(names(joints_))));
            }
            const std::string type = attribute(*other, "type");
            if (type == "fixed" || type == "floating" || other->FirstChildElement("mimic")) {
                fail_in(*joint, *mimic,
                        "'" + other_name +
                            "' has no coordinate of its own; expected a revolute, continuous or "
                            "prismatic joint without mimic");
            }
        }
    }

    // Every link but one has one parent, and all hang together.
    UrdfOutline walk_tree(const TiXmlElement& robot) const {
        std::map<std::string, const TiXmlElement*> parent_joint;
        std::map<std::string, Elements> children;
        for (const TiXmlElement* joint : joints_) {
            const TiXmlElement* child = joint->FirstChildElement("child");
            const auto [it, is_new] = parent_joint.insert({attribute(*child, "link"), joint});
            if (!is_new) {
                fail_in(*joint, *child,
                        "link '" + it->first + "' has a parent already, by joint '" +
                            name(*it->second) + "' at " + place(*it->second) + "; expected a tree");
            }
            children[attribute(*joint->FirstChildElement("parent"), "link")].push_back(joint);
        }
        Elements roots;
        for (const TiXmlElement* link : links_) {
            if (!parent_joint.contains(name(*link))) roots.push_back(link);
        }
        if (roots.empty()) {
            fail(robot, "every link has a parent, so the joints make a loop; expected one root");
        }
        if (roots.size() > 1) {
            fail(*roots[1], "links '" + name(*roots[0]) + "' and '" + name(*roots[1]) +
                                "' both have no parent; expected one root");
        }
        UrdfOutline outline{{{name(*roots[0]), place(*roots[0])}}, {}};
        append_children(name(*roots[0]), children, outline);
        if (outline.links.size() < links_.size()) report_loop(outline);
        return outline;
    }

    void append_children(const std::string& root, const std::map<std::string, Elements>& children,
                         UrdfOutline& outline) const {
        Elements open;  // joints still to follow, the next one last
        const auto push = [&](const std::string& link) {
            const auto it = children.find(link);
            if (it != children.end()) {
                open.insert(open.end(), it->second.rbegin(), it->second.rend());
            }
        };
        push(root);
        while (!open.empty()) {
            const TiXmlElement* joint = open.back();
            open.pop_back();
            const std::string child = attribute(*joint->FirstChildElement("child"), "link");
            outline.joints.push_back({name(*joint), place(*joint)});
            outline.links.push_back({child, place(*find(link_named_, child))});
            push(child);
        }
    }

    [[noreturn]] void report_loop(const UrdfOutline& outline) const {
        std::set<std::string> reached;
        for (const UrdfEntry& entry : outline.links) reached.insert(entry.name);
        for (const TiXmlElement* link : links_) {
            if (!reached.contains(name(*link))) {
                fail_in(*link, *link,
                        "is part of a loop of joints apart from the root '" +
                            outline.links[0].name + "'; expected a tree");
            }
        }
        throw InputError(path_ + ": the joints make a loop; expected a tree");
    }

    std::string path_;
    bool any_inertia_;
    TiXmlDocument document_;
    Elements links_, joints_;
    ByName link_named_, joint_named_;
};

}  // namespace

UrdfOutline outline_urdf(const std::string& text, const std::string& path, bool any_inertia) {
    return Outliner(text, path, any_inertia).run();
}

}  // namespace stiction
