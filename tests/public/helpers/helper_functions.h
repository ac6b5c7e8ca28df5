// What NVIDIA's samples gather under this name: their string and timer helpers. Ours.
#pragma once
#include <helper_string.h>
#include <helper_timer.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
