// Things that rays hit, held by shared pointers on the host.
#pragma once
#include <memory>
#include <vector>
#include "vec3.h"
using std::make_shared;
using std::shared_ptr;
struct ray {
    point3 from;
    vec3 along;
};
class hittable {
public:
    virtual ~hittable() = default;
    virtual bool hit(const ray& r) const = 0;
};
class sphere : public hittable {
public:
    sphere(point3 c, float r) : center(c), radius(r) {}
    bool hit(const ray& r) const override {
        vec3 oc = r.from - center;
        float a = r.along.dot(r.along), half_b = oc.dot(r.along), c = oc.dot(oc) - radius * radius;
        return half_b * half_b - a * c > 0 && half_b < 0;
    }

private:
    point3 center;
    float radius;
};
class hittable_list : public hittable {
public:
    void add(shared_ptr<hittable> object) { objects.push_back(object); }
    bool hit(const ray& r) const override {
        for (const auto& o : objects)
            if (o->hit(r)) return true;
        return false;
    }

private:
    std::vector<shared_ptr<hittable>> objects;
};
