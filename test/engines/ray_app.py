"""Two replicas of a small server of the API, on Ray Serve. Each answer says in which process it was made.

usage: python ray_app.py PORT TEMPORARY_FOLDER
"""

import asyncio
import hashlib
import json
import os
import signal
import sys

import ray
from fastapi import FastAPI, Request
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import JSONResponse, StreamingResponse
from ray import serve

MODEL = "ray/echo"
EVENTS = 40
GAP_SECONDS = 0.1

app = FastAPI()
app.add_middleware(CORSMiddleware, allow_origins=["*"], allow_methods=["*"], allow_headers=["*"])


async def events():
    for _ in range(EVENTS):
        choice = {"index": 0, "delta": {"content": f"{os.getpid()} "}}
        yield f"data: {json.dumps({'choices': [choice]})}\n\n"
        await asyncio.sleep(GAP_SECONDS)
    yield "data: [DONE]\n\n"


@serve.deployment(num_replicas=2, max_ongoing_requests=100, ray_actor_options={"num_cpus": 0.5})
@serve.ingress(app)
class Echo:
    @app.get("/v1/models")
    def models(self):
        return {"object": "list", "data": [{"id": MODEL, "object": "model", "owned_by": "ray"}]}

    @app.post("/v1/chat/completions")
    async def chat(self, request: Request):
        body = await request.json()
        if not isinstance(body.get("messages"), list):
            return JSONResponse({"error": {"message": "messages must be a list"}}, status_code=422)
        if body.get("stream"):
            return StreamingResponse(events(), media_type="text/event-stream")
        message = {"role": "assistant", "content": body["messages"][-1]["content"]}
        return {"object": "chat.completion", "model": MODEL, "choices": [{"index": 0, "message": message}]}

    @app.post("/v1/audio/transcriptions")
    async def transcriptions(self, request: Request):
        file = (await request.form())["file"]
        return {"text": hashlib.sha256(await file.read()).hexdigest()}


def main() -> None:
    port, folder = sys.argv[1:]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    # The smallest memory for objects that Ray takes; nothing here is one.
    ray.init(num_cpus=2, include_dashboard=False, object_store_memory=80_000_000, _temp_dir=folder)
    serve.start(http_options={"host": "127.0.0.1", "port": int(port)})
    serve.run(Echo.bind(), blocking=True)


main()
