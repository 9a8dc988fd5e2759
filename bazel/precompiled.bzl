# SPDX-License-Identifier: Apache-2.0
"""A precompiled header: what most files include is parsed once instead of some hundred times.

Only builds that run tests under sanitizers use it (--define=precompiled=1 in .bazelrc): the plain build shows that each
file includes what it needs.
"""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")
load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME")

def _precompiled_header_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )

    # Both compilers look for FILE.gch where they are told "-include FILE".
    header = ctx.actions.declare_file(ctx.label.name + ".h")
    ctx.actions.run_shell(
        command = 'cat "${@:2}" >"$1"',
        arguments = [header.path] + [hdr.path for hdr in ctx.files.hdrs],
        inputs = ctx.files.hdrs,
        outputs = [header],
    )
    compiled = ctx.actions.declare_file(ctx.label.name + ".h.gch")
    flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts + ctx.attr.copts + ["-x", "c++-header"]
    compiler = cc_common.get_tool_for_action(
        feature_configuration = features,
        action_name = CPP_COMPILE_ACTION_NAME,
    )

    # Clang notes where the header lies and looks for it there, in a sandbox that is gone; GCC reads files alone.
    from_stdin = "clang" in compiler
    variables = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = toolchain,
        source_file = "-" if from_stdin else header.path,
        output_file = compiled.path,
        user_compile_flags = flags,
        use_pic = True,
    )
    ctx.actions.run_shell(
        command = '"$@" <' + header.path,
        arguments = [compiler] + cc_common.get_memory_inefficient_command_line(
            feature_configuration = features,
            action_name = CPP_COMPILE_ACTION_NAME,
            variables = variables,
        ),
        # The system's headers are no inputs that Bazel sees; deploy/bazel.sh says which packages there are.
        env = dict(
            cc_common.get_environment_variables(
                feature_configuration = features,
                action_name = CPP_COMPILE_ACTION_NAME,
                variables = variables,
            ),
            SERAPH_PACKAGES = ctx.var.get("packages", ""),
        ),
        inputs = depset([header], transitive = [toolchain.all_files]),
        outputs = [compiled],
        mnemonic = "CppPrecompile",
    )
    return [CcInfo(compilation_context = cc_common.create_compilation_context(
        headers = depset([header, compiled]),
    ))]

precompiled_header = rule(
    implementation = _precompiled_header_impl,
    attrs = {
        "hdrs": attr.label_list(allow_files = [".h"]),
        "copts": attr.string_list(),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
