// Puts the functions of simd_words.h out of the way of clang's own, and back: include it before and after.

#if !defined(TILESCOPE_SIMD_NAMES)
#define TILESCOPE_SIMD_NAMES
#define __vadd2 __tilescope_clang_vadd2
#define __vadd4 __tilescope_clang_vadd4
#define __vaddss2 __tilescope_clang_vaddss2
#define __vaddss4 __tilescope_clang_vaddss4
#define __vaddus2 __tilescope_clang_vaddus2
#define __vaddus4 __tilescope_clang_vaddus4
#define __vavgs2 __tilescope_clang_vavgs2
#define __vavgs4 __tilescope_clang_vavgs4
#define __vavgu2 __tilescope_clang_vavgu2
#define __vavgu4 __tilescope_clang_vavgu4
#define __vhaddu2 __tilescope_clang_vhaddu2
#define __vhaddu4 __tilescope_clang_vhaddu4
#define __vcmpeq2 __tilescope_clang_vcmpeq2
#define __vcmpeq4 __tilescope_clang_vcmpeq4
#define __vcmpges2 __tilescope_clang_vcmpges2
#define __vcmpges4 __tilescope_clang_vcmpges4
#define __vcmpgeu2 __tilescope_clang_vcmpgeu2
#define __vcmpgeu4 __tilescope_clang_vcmpgeu4
#define __vcmpgts2 __tilescope_clang_vcmpgts2
#define __vcmpgts4 __tilescope_clang_vcmpgts4
#define __vcmpgtu2 __tilescope_clang_vcmpgtu2
#define __vcmpgtu4 __tilescope_clang_vcmpgtu4
#define __vcmples2 __tilescope_clang_vcmples2
#define __vcmples4 __tilescope_clang_vcmples4
#define __vcmpleu2 __tilescope_clang_vcmpleu2
#define __vcmpleu4 __tilescope_clang_vcmpleu4
#define __vcmplts2 __tilescope_clang_vcmplts2
#define __vcmplts4 __tilescope_clang_vcmplts4
#define __vcmpltu2 __tilescope_clang_vcmpltu2
#define __vcmpltu4 __tilescope_clang_vcmpltu4
#define __vcmpne2 __tilescope_clang_vcmpne2
#define __vcmpne4 __tilescope_clang_vcmpne4
#define __vabsdiffu2 __tilescope_clang_vabsdiffu2
#define __vabsdiffu4 __tilescope_clang_vabsdiffu4
#define __vabsdiffs2 __tilescope_clang_vabsdiffs2
#define __vabsdiffs4 __tilescope_clang_vabsdiffs4
#define __vmaxs2 __tilescope_clang_vmaxs2
#define __vmaxs4 __tilescope_clang_vmaxs4
#define __vmaxu2 __tilescope_clang_vmaxu2
#define __vmaxu4 __tilescope_clang_vmaxu4
#define __vmins2 __tilescope_clang_vmins2
#define __vmins4 __tilescope_clang_vmins4
#define __vminu2 __tilescope_clang_vminu2
#define __vminu4 __tilescope_clang_vminu4
#define __vseteq2 __tilescope_clang_vseteq2
#define __vseteq4 __tilescope_clang_vseteq4
#define __vsetges2 __tilescope_clang_vsetges2
#define __vsetges4 __tilescope_clang_vsetges4
#define __vsetgeu2 __tilescope_clang_vsetgeu2
#define __vsetgeu4 __tilescope_clang_vsetgeu4
#define __vsetgts2 __tilescope_clang_vsetgts2
#define __vsetgts4 __tilescope_clang_vsetgts4
#define __vsetgtu2 __tilescope_clang_vsetgtu2
#define __vsetgtu4 __tilescope_clang_vsetgtu4
#define __vsetles2 __tilescope_clang_vsetles2
#define __vsetles4 __tilescope_clang_vsetles4
#define __vsetleu2 __tilescope_clang_vsetleu2
#define __vsetleu4 __tilescope_clang_vsetleu4
#define __vsetlts2 __tilescope_clang_vsetlts2
#define __vsetlts4 __tilescope_clang_vsetlts4
#define __vsetltu2 __tilescope_clang_vsetltu2
#define __vsetltu4 __tilescope_clang_vsetltu4
#define __vsetne2 __tilescope_clang_vsetne2
#define __vsetne4 __tilescope_clang_vsetne4
#define __vsadu2 __tilescope_clang_vsadu2
#define __vsadu4 __tilescope_clang_vsadu4
#define __vsads2 __tilescope_clang_vsads2
#define __vsads4 __tilescope_clang_vsads4
#define __vsub2 __tilescope_clang_vsub2
#define __vsub4 __tilescope_clang_vsub4
#define __vsubss2 __tilescope_clang_vsubss2
#define __vsubss4 __tilescope_clang_vsubss4
#define __vsubus2 __tilescope_clang_vsubus2
#define __vsubus4 __tilescope_clang_vsubus4
#define __vabs2 __tilescope_clang_vabs2
#define __vabs4 __tilescope_clang_vabs4
#define __vabsss2 __tilescope_clang_vabsss2
#define __vabsss4 __tilescope_clang_vabsss4
#define __vneg2 __tilescope_clang_vneg2
#define __vneg4 __tilescope_clang_vneg4
#define __vnegss2 __tilescope_clang_vnegss2
#define __vnegss4 __tilescope_clang_vnegss4
#else
#undef TILESCOPE_SIMD_NAMES
#undef __vadd2
#undef __vadd4
#undef __vaddss2
#undef __vaddss4
#undef __vaddus2
#undef __vaddus4
#undef __vavgs2
#undef __vavgs4
#undef __vavgu2
#undef __vavgu4
#undef __vhaddu2
#undef __vhaddu4
#undef __vcmpeq2
#undef __vcmpeq4
#undef __vcmpges2
#undef __vcmpges4
#undef __vcmpgeu2
#undef __vcmpgeu4
#undef __vcmpgts2
#undef __vcmpgts4
#undef __vcmpgtu2
#undef __vcmpgtu4
#undef __vcmples2
#undef __vcmples4
#undef __vcmpleu2
#undef __vcmpleu4
#undef __vcmplts2
#undef __vcmplts4
#undef __vcmpltu2
#undef __vcmpltu4
#undef __vcmpne2
#undef __vcmpne4
#undef __vabsdiffu2
#undef __vabsdiffu4
#undef __vabsdiffs2
#undef __vabsdiffs4
#undef __vmaxs2
#undef __vmaxs4
#undef __vmaxu2
#undef __vmaxu4
#undef __vmins2
#undef __vmins4
#undef __vminu2
#undef __vminu4
#undef __vseteq2
#undef __vseteq4
#undef __vsetges2
#undef __vsetges4
#undef __vsetgeu2
#undef __vsetgeu4
#undef __vsetgts2
#undef __vsetgts4
#undef __vsetgtu2
#undef __vsetgtu4
#undef __vsetles2
#undef __vsetles4
#undef __vsetleu2
#undef __vsetleu4
#undef __vsetlts2
#undef __vsetlts4
#undef __vsetltu2
#undef __vsetltu4
#undef __vsetne2
#undef __vsetne4
#undef __vsadu2
#undef __vsadu4
#undef __vsads2
#undef __vsads4
#undef __vsub2
#undef __vsub4
#undef __vsubss2
#undef __vsubss4
#undef __vsubus2
#undef __vsubus4
#undef __vabs2
#undef __vabs4
#undef __vabsss2
#undef __vabsss4
#undef __vneg2
#undef __vneg4
#undef __vnegss2
#undef __vnegss4
#endif
