// Intervals of floats whose ends are rounded outwards.
#pragma once
template <class T>
struct rounded_arith {
    __device__ T add_down(const T& x, const T& y);
    __device__ T add_up(const T& x, const T& y);
    __device__ T mul_down(const T& x, const T& y);
    __device__ T mul_up(const T& x, const T& y);
};
template <>
struct rounded_arith<float> {
    __device__ float add_down(const float& x, const float& y) { return __fadd_rd(x, y); }
    __device__ float add_up(const float& x, const float& y) { return __fadd_ru(x, y); }
    __device__ float mul_down(const float& x, const float& y) { return __fmul_rd(x, y); }
    __device__ float mul_up(const float& x, const float& y) { return __fmul_ru(x, y); }
};
template <>
struct rounded_arith<double> {
    __device__ double add_down(const double& x, const double& y) { return __dadd_rd(x, y); }
    __device__ double add_up(const double& x, const double& y) { return __dadd_ru(x, y); }
    __device__ double mul_down(const double& x, const double& y) { return __dmul_rd(x, y); }
    __device__ double mul_up(const double& x, const double& y) { return __dmul_ru(x, y); }
};
template <class T>
class interval_gpu {
public:
    __device__ __host__ interval_gpu() {}
    __device__ __host__ interval_gpu(T const& l, T const& u) : low(l), up(u) {}
    __device__ __host__ T const& lower() const { return low; }
    __device__ __host__ T const& upper() const { return up; }

private:
    T low, up;
};
template <class T>
inline __device__ interval_gpu<T> operator+(interval_gpu<T> const& x, interval_gpu<T> const& y) {
    rounded_arith<T> rnd;
    return interval_gpu<T>(rnd.add_down(x.lower(), y.lower()), rnd.add_up(x.upper(), y.upper()));
}
template <class T>
inline __device__ interval_gpu<T> operator*(interval_gpu<T> const& x, interval_gpu<T> const& y) {
    rounded_arith<T> rnd;
    T a = rnd.mul_down(x.lower(), y.lower()), b = rnd.mul_down(x.lower(), y.upper()),
      c = rnd.mul_down(x.upper(), y.lower()), d = rnd.mul_down(x.upper(), y.upper());
    T e = rnd.mul_up(x.lower(), y.lower()), f = rnd.mul_up(x.lower(), y.upper()), g = rnd.mul_up(x.upper(), y.lower()),
      h = rnd.mul_up(x.upper(), y.upper());
    return interval_gpu<T>(fmin(fmin(a, b), fmin(c, d)), fmax(fmax(e, f), fmax(g, h)));
}
