"""How names marked with @ are spelled in the kernel and in the reference on the host."""
import re

# Where neither rule below holds: (in the kernel, in the reference).
SPECIAL = {
    "device": ("__device__", "inline"),
    "device_noinline": ("__device__ __noinline__", "inline"),
    "thread": ("threadIdx", "reference::self().index"),
    "block": ("blockIdx", "reference::block()->index"),
    "block_size": ("blockDim", "reference::block()->size"),
    "grid_size": ("gridDim", "reference::block()->grid"),
    "ldg": ("__ldg", "*"),
    "fabs": ("fabs", "std::fabs"), "fabsf": ("fabsf", "std::fabs"),
    "sqrt": ("sqrt", "std::sqrt"), "sqrtf": ("sqrtf", "std::sqrt"),
    "floor": ("floor", "std::floor"), "floorf": ("floorf", "std::floor"),
    "ceil": ("ceil", "std::ceil"), "ceilf": ("ceilf", "std::ceil"),
    "trunc": ("trunc", "std::trunc"), "truncf": ("truncf", "std::trunc"),
    "rint": ("rint", "std::rint"), "rintf": ("rintf", "std::rint"),
    "round": ("round", "std::round"), "roundf": ("roundf", "std::round"),
    "fmin": ("fmin", "std::fmin"), "fminf": ("fminf", "std::fmin"),
    "fmax": ("fmax", "std::fmax"), "fmaxf": ("fmaxf", "std::fmax"),
    "fmod": ("fmod", "std::fmod"), "fmodf": ("fmodf", "std::fmod"),
    "ldexp": ("ldexp", "std::ldexp"), "ldexpf": ("ldexpf", "std::ldexp"),
    "copysign": ("copysign", "std::copysign"), "copysignf": ("copysignf", "std::copysign"),
    "min": ("min", "std::min"), "max": ("max", "std::max"),
    **{f"h{two}{name}": (f"h{two}{name}", f"reference::h{two}{name}")
       for two in ("", "2") for name in ("trunc", "ceil", "floor", "rint")},
    "barrier": ("__syncthreads()", "reference::syncthreads()"),
}
MARK = re.compile(r"@(\w+)")


def in_kernel(text):
    def spelled(match):
        name = match.group(1)
        if name in SPECIAL:
            return SPECIAL[name][0]
        return name if name.startswith("atomic") else "__" + name

    return MARK.sub(spelled, text)


def in_reference(text):
    def spelled(match):
        name = match.group(1)
        return SPECIAL[name][1] if name in SPECIAL else "reference::" + name

    return MARK.sub(spelled, text)
