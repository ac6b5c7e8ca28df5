"""The few calls of NVIDIA's driver that a launch needs, and how PTX becomes machine code for it. Needs no CUDA toolkit,
but uses its ptxas where there is one: what that refuses, it refuses by name.
"""
import ctypes
import pathlib
import re
import shutil
import subprocess
import tempfile
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p

# Every type is said. ctypes takes a plain integer for 32 bits, and sizes have 64.
CALLS = {
    "cuInit": [c_uint],
    "cuDriverGetVersion": [POINTER(c_int)],
    "cuDeviceGet": [POINTER(c_int), c_int],
    "cuDeviceGetName": [c_char_p, c_int, c_int],
    "cuDeviceGetAttribute": [POINTER(c_int), c_int, c_int],
    "cuDevicePrimaryCtxRetain": [POINTER(c_void_p), c_int],
    "cuCtxSetCurrent": [c_void_p],
    "cuCtxSynchronize": [],
    "cuCtxSetLimit": [c_int, c_size_t],
    "cuGetErrorString": [c_int, POINTER(c_char_p)],
    "cuModuleLoadData": [POINTER(c_void_p), c_char_p],
    "cuModuleUnload": [c_void_p],
    "cuModuleGetFunction": [POINTER(c_void_p), c_void_p, c_char_p],
    "cuMemAlloc_v2": [POINTER(c_uint64), c_size_t],
    "cuMemFree_v2": [c_uint64],
    "cuMemcpyHtoD_v2": [c_uint64, c_void_p, c_size_t],
    "cuMemcpyDtoH_v2": [c_void_p, c_uint64, c_size_t],
    "cuLaunchKernel": [c_void_p] + [c_uint] * 7 + [c_void_p, POINTER(c_void_p), POINTER(c_void_p)],
}
MAJOR, MINOR = 75, 76  # attributes: compute capability
STACK_SIZE, STACK = 0, 1 << 16  # a limit, and bytes of it that recursion may need


class Driver:
    """One device, its first."""

    def __init__(self):
        self.lib = ctypes.CDLL("libcuda.so.1")
        for name, types in CALLS.items():
            getattr(self.lib, name).argtypes = types
            getattr(self.lib, name).restype = c_int
        self.call("cuInit", 0)
        device, context = c_int(), c_void_p()
        self.call("cuDeviceGet", byref(device), 0)
        self.device = device.value
        self.call("cuDevicePrimaryCtxRetain", byref(context), self.device)
        self.call("cuCtxSetCurrent", context)
        self.call("cuCtxSetLimit", STACK_SIZE, STACK)

    def call(self, name, *arguments):
        status = getattr(self.lib, name)(*arguments)
        if status != 0:
            text = c_char_p()
            self.lib.cuGetErrorString(status, byref(text))
            raise RuntimeError(f"{name}: {text.value.decode() if text.value else status}")

    def facts(self):
        """The device's name, the driver's version and that of the CUDA it has."""
        name, version = ctypes.create_string_buffer(100), c_int()
        self.call("cuDeviceGetName", name, len(name), self.device)
        self.call("cuDriverGetVersion", byref(version))
        told = pathlib.Path("/proc/driver/nvidia/version")
        found = re.search(r"\b(\d+\.\d+(?:\.\d+)?)\b", told.read_text()) if told.exists() else None
        if not found:
            asked = subprocess.run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"],
                                   capture_output=True, text=True)
            found = re.search(r"(\S+)", asked.stdout)
        return {"device": name.value.decode(), "driver": found[1] if found else "unknown",
                "cuda": f"{version.value // 1000}.{version.value % 1000 // 10}"}

    def target(self):
        parts = []
        for attribute in (MAJOR, MINOR):
            value = c_int()
            self.call("cuDeviceGetAttribute", byref(value), attribute, self.device)
            parts.append(str(value.value))
        return "sm_" + "".join(parts)

    def load(self, image):
        module = c_void_p()
        self.call("cuModuleLoadData", byref(module), image)
        return module

    def load_ptx(self, text):
        # The driver's own compiler is for where there is no ptxas. The one of driver 580 dies on some barrier objects,
        # and the process with it.
        ptxas = shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")
        if not ptxas:
            return self.load(text.encode() + b"\0")
        own = re.search(r"^\.target\s+(sm_\d+[af])", text, re.M)  # code for one device and no other
        with tempfile.TemporaryDirectory() as folder:
            source, image = pathlib.Path(folder, "a.ptx"), pathlib.Path(folder, "a.cubin")
            source.write_text(text)
            run = subprocess.run([ptxas, "-arch=" + (own[1] if own else self.target()), source, "-o", image],
                                 capture_output=True, text=True)
            if run.returncode != 0:
                raise RuntimeError("ptxas: " + "; ".join(run.stderr.split("\n")[:2]))
            return self.load(image.read_bytes())

    def launch(self, module, kernel, grid, block, shared, arguments):
        """Arguments are bytes by value, or ("buffer", bytes) for device memory. Gives what the buffers hold then."""
        function = c_void_p()
        self.call("cuModuleGetFunction", byref(function), module, kernel.encode())
        pointers, values = [], []
        try:
            for argument in arguments:
                if isinstance(argument, bytes):
                    values.append(ctypes.create_string_buffer(argument, len(argument)))
                    continue
                data, pointer = argument[1], c_uint64()
                self.call("cuMemAlloc_v2", byref(pointer), max(1, len(data)))
                pointers.append((pointer, len(data)))
                values.append(pointer)
                self.call("cuMemcpyHtoD_v2", pointer, data, len(data))
            slots = (c_void_p * max(1, len(values)))(*[ctypes.addressof(value) for value in values])
            self.call("cuLaunchKernel", function, *grid, *block, shared, None, slots, None)
            self.call("cuCtxSynchronize")
            results = []
            for pointer, size in pointers:
                out = ctypes.create_string_buffer(max(1, size))
                self.call("cuMemcpyDtoH_v2", out, pointer, size)
                results.append(out.raw[:size])
            return results
        finally:
            for pointer, _ in pointers:
                self.lib.cuMemFree_v2(pointer)
