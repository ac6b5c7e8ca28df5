#include "scope/library/tilescope.h"
