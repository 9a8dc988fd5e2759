# SPDX-License-Identifier: Apache-2.0
"""The part of rules_cc that Bazel 4's own files load, over the native rules."""

cc_library = native.cc_library
cc_binary = native.cc_binary
cc_test = native.cc_test
cc_import = native.cc_import
cc_toolchain = native.cc_toolchain
cc_toolchain_suite = native.cc_toolchain_suite
cc_proto_library = native.cc_proto_library
fdo_profile = native.fdo_profile
fdo_prefetch_hints = native.fdo_prefetch_hints
objc_library = native.objc_library
objc_import = native.objc_import

def _cc_flags_supplier_impl(_ctx):
    return [platform_common.TemplateVariableInfo({"CC_FLAGS": ""})]

cc_flags_supplier = rule(implementation = _cc_flags_supplier_impl)

def _compiler_flag_impl(_ctx):
    return [config_common.FeatureFlagInfo(value = "gcc")]

compiler_flag = rule(implementation = _compiler_flag_impl)
