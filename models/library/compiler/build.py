"""Compiles a shape to wasm object files: the model's functions are lowered for WebGPU and wasm32."""

import json

import tvm
from tvm import relax, tirx
from tvm.s_tir import dlight

from . import kernels_logits
from .model import Llama
from .shape import PAGE_SIZE, Shape
from .vision import SeeingLlama

QUANTISATION = "q4f32_s8"


def webgpu_target() -> tvm.target.Target:
    """WebGPU kernels and wasm32 host code. With a newer CPU than ``mvp``, wasm-opt refuses bulk-memory flags."""
    host = {"kind": "llvm", "mtriple": "wasm32-unknown-unknown-wasm", "mcpu": "mvp"}
    return tvm.target.Target({"kind": "webgpu", "host": host})


def metadata(shape: Shape, params: list[dict]) -> dict:
    """The description of the library that web-llm reads from it."""
    return {
        "model_type": "llama",
        "quantization": QUANTISATION,
        "context_window_size": shape.context,
        "sliding_window_size": -1,
        "attention_sink_size": -1,
        "prefill_chunk_size": shape.prefill_chunk,
        "tensor_parallel_shards": 1,
        "kv_state_kind": "kv_cache",
        "params": params,
        "memory_usage": {},
    }


def lowering(target: tvm.target.Target) -> tvm.transform.Pass:
    """The passes from exported module to VM code. Kernels that have no schedule get dlight's fallback."""

    @tvm.transform.module_pass(opt_level=0)
    def run(module, _context):
        with target:
            return tvm.transform.Sequential([
                tirx.transform.BindTarget(target),
                relax.transform.LegalizeOps(),
                relax.transform.FoldConstant(),
                relax.transform.DeadCodeElimination(),
                dlight.ApplyDefaultSchedule(dlight.gpu.Fallback()),
                tirx.transform.ForceNarrowIndexToInt32(),
                relax.transform.RewriteDataflowReshape(),
                relax.transform.DeadCodeElimination(),  # removes the kernels of reshapes, which are views now
                relax.transform.ToNonDataflow(),
                relax.transform.RemovePurityChecking(),
                relax.transform.CallTIRRewrite(),
                relax.transform.StaticPlanBlockMemory(),
                relax.transform.LowerAllocTensor(),
                relax.transform.KillAfterLastUse(),
                relax.transform.LowerRuntimeBuiltin(),
                relax.transform.ComputePrimValue(),
                relax.transform.VMShapeLower(),
                relax.transform.AttachGlobalSymbol(),
            ])(module)

    return run


def _upper_bounds(shape: Shape) -> dict[str, int]:
    """Largest values of the symbolic sizes, so that memory can be planned in advance."""
    return {
        "seq_len": shape.prefill_chunk,
        "total_seq_len": shape.context,
        "batch_size": 1,
        "num_samples": 1,
        "max_batch_size": 1,
        "max_total_seq_len": shape.context,
        "prefill_chunk_size": shape.prefill_chunk,
        "page_size": PAGE_SIZE,
    }


def module_of(shape: Shape, target: tvm.target.Target) -> tuple[tvm.IRModule, list[dict]]:
    """The module with all exports before lowering, and its parameters (name, shape, dtype) in calling order."""
    with target:
        model = (SeeingLlama if shape.vision_width else Llama)(shape, target)
        module, parameters = model.export_tvm(model.spec())
    params = [{"name": name, "shape": [int(size) for size in p.shape], "dtype": str(p.dtype)} for name, p in parameters]
    builder = relax.BlockBuilder(module)
    with builder.function("_metadata", []):
        builder.emit_func_output(tvm.ir.StringImm(json.dumps(metadata(shape, params))))
    module = builder.finalize()
    of_logits = (kernels_logits.apply_bitmask_inplace, kernels_logits.apply_logit_bias_inplace,
                 kernels_logits.apply_penalty_inplace)
    for kernel in of_logits:
        module[kernel.attrs["global_symbol"]] = kernel
    for variable, function in list(module.functions.items()):
        if isinstance(function, relax.Function):
            module[variable] = function.with_attr("tir_var_upper_bound", _upper_bounds(shape))
    return module, params


def compile_shape(shape: Shape) -> tuple[tvm.runtime.Executable, list[dict]]:
    """The compiled executable and its parameters. Export the executable with an ``fcompile`` that links."""
    target = webgpu_target()
    module, params = module_of(shape, target)
    return relax.build(module, target=target, relax_pipeline=lowering(target), system_lib=True), params
