// The instruction set a lane-code file is being built for.
//
// Files of lane code are compiled once per target, each time with TILESCOPE_TARGET set to the target's name; all they
// define lies in namespace TILESCOPE_TARGET, so that the copies never meet.
#pragma once

#ifndef TILESCOPE_TARGET
#define TILESCOPE_TARGET baseline
#endif
