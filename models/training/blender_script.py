"""Render scenes by Blender's Cycles: run by the Python of the environment that has `bpy`, and by no other.

Reads a JSON scene description a line from standard input (`models.training.cycles_scene`), writes the light that its
camera sees as an array of NumPy, and answers with a line on standard output: the processor seconds it took. Lengths
are millimetres, z is up; colours are linear RGB.
"""

from __future__ import annotations

import json
import os
import sys
from time import process_time
from typing import Any, TypeAlias

import bpy
import numpy as np
from mathutils import Matrix

Description: TypeAlias = dict[str, Any]
Blender: TypeAlias = Any
"""A thing of Blender's, which has no types."""


def main() -> None:
    """Answer descriptions until standard input ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # Blender reports its progress on standard output
    _set_up()
    for line in sys.stdin:
        begun = process_time()
        _render(json.loads(line))
        print(json.dumps({"cpu_seconds": round(process_time() - begun, 2)}), file=answers, flush=True)


def _set_up() -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.use_persistent_data = False  # else Cycles keeps a file's texture though the file has changed
    scene.render.threads_mode, scene.render.threads = "FIXED", int(os.environ.get("CYCLES_THREADS", "1"))
    picture = scene.render.image_settings
    picture.file_format, picture.color_mode, picture.color_depth = "OPEN_EXR", "RGB", "16"
    _set_up_cycles(scene.cycles)
    scene.world = bpy.data.worlds.new("sky")
    # What comes of the room is found by light that bounces: to aim at it costs a quarter more and shows no difference.
    scene.world.cycles.sampling_method = "NONE"
    scene.camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    scene.collection.objects.link(scene.camera)


def _set_up_cycles(cycles: Blender) -> None:
    cycles.device = "CPU"
    cycles.use_adaptive_sampling = cycles.use_light_tree = False
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_input_passes, cycles.denoising_prefilter = "RGB_ALBEDO_NORMAL", "FAST"
    cycles.denoising_quality = "BALANCED"
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 5, 1, 2
    cycles.transmission_bounces, cycles.transparent_max_bounces = 5, 6
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect, cycles.sample_clamp_direct = 4.0, 12.0
    cycles.pixel_filter_type, cycles.filter_width = "BLACKMAN_HARRIS", 1.3


def _render(told: Description) -> None:
    scene = bpy.context.scene
    _empty()
    scene.render.resolution_x, scene.render.resolution_y = told["size"]
    scene.render.resolution_percentage = 100
    scene.cycles.samples, scene.cycles.seed = told["samples"], told["seed"]
    _aim(scene.camera, told["camera"])
    _light_sky(scene.world, told["sky"])
    for lamp in told["lamps"]:
        _add_lamp(lamp)
    for box in told["boxes"]:
        _add_box(box)
    for thing in told["capsules"]:
        _add_capsule(thing)
    shapes = np.load(told["meshes"])
    looks: dict[tuple[int, str], Blender] = {}
    for die in told["dice"]:
        look = die["mesh"], die["picture"]
        looks[look] = looks.get(look) or _die_mesh(die, shapes)
        _place(bpy.data.objects.new("die", looks[look]), _pose(die) @ np.diag([*[die["edge"] / 2] * 3, 1.0]))
    scene.render.filepath = told["picture"] + ".exr"
    bpy.ops.render.render(write_still=True)
    _keep_light(scene.render.filepath, told["picture"])


def _keep_light(rendered: str, to: str) -> None:
    """Write a rendered picture as float32, (height, width, 3), RGB, the upper row first."""
    picture = bpy.data.images.load(rendered)
    width, height = picture.size
    numbers = np.empty(width * height * 4, np.float32)
    picture.pixels.foreach_get(numbers)
    np.save(to, numbers.reshape(height, width, 4)[::-1, :, :3], allow_pickle=False)


def _empty() -> None:
    """Remove all things of the last scene with what they were made of."""
    camera = bpy.context.scene.camera
    bpy.data.batch_remove([one for one in bpy.data.objects if one != camera])
    for kind in (bpy.data.meshes, bpy.data.lights, bpy.data.materials, bpy.data.images):
        bpy.data.batch_remove(list(kind))


def _aim(camera: Blender, told: Description) -> None:
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = np.array(told["axes"]).T, told["place"]
    camera.matrix_world = Matrix(pose.tolist())
    lens = camera.data
    lens.sensor_fit, lens.angle = "HORIZONTAL", np.radians(told["view_degrees"])
    lens.clip_start, lens.clip_end = 5.0, 20000.0


def _light_sky(world: Blender, told: Description) -> None:
    nodes, links = world.node_tree.nodes, world.node_tree.links
    nodes.clear()
    shown, ground = nodes.new("ShaderNodeOutputWorld"), nodes.new("ShaderNodeBackground")
    ground.inputs["Strength"].default_value = told["strength"]
    around = nodes.new("ShaderNodeTexEnvironment")
    around.image = bpy.data.images.load(told["picture"])
    around.image.colorspace_settings.name = "Non-Color"
    links.new(around.outputs["Color"], ground.inputs["Color"])
    links.new(ground.outputs[0], shown.inputs["Surface"])


def _add_lamp(told: Description) -> None:
    lamp = bpy.data.lights.new("lamp", "AREA")
    lamp.shape = "ELLIPSE" if told["round"] else "RECTANGLE"
    lamp.size, lamp.size_y = told["size"]
    away = np.array(told["place"]) - np.array(told["target"])
    distance = float(np.linalg.norm(away))
    lamp.energy = told["irradiance"] * np.pi * distance**2
    lamp.color = told["colour"]
    back = away / distance
    side = np.cross([0.0, 0.0, 1.0] if abs(back[2]) < 0.99 else [0.0, 1.0, 0.0], back)
    side /= np.linalg.norm(side)
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = np.column_stack([side, np.cross(back, side), back]), told["place"]
    _place(bpy.data.objects.new("lamp", lamp), pose)


def _place(thing: Blender, pose: np.ndarray) -> None:
    thing.matrix_world = Matrix(pose.tolist())
    bpy.context.scene.collection.objects.link(thing)


def _pose(told: Description) -> np.ndarray:
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = told["turn"], told["centre"]
    return pose


def _add_box(told: Description) -> None:
    """Add a box or, where it is round, an upright cylinder; its texture lies on it as seen from above."""
    half = np.array(told["size"]) / 2
    around = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    disc = np.column_stack([np.cos(around), np.sin(around)])
    outline = disc if told["round"] else np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float)
    count = len(outline)
    points = [(*(corner * half[:2]), side * half[2]) for side in (-1, 1) for corner in outline]
    faces = [tuple(range(count - 1, -1, -1)), tuple(range(count, 2 * count))]
    faces += [(k, (k + 1) % count, count + (k + 1) % count, count + k) for k in range(count)]
    mesh = bpy.data.meshes.new("box")
    mesh.from_pydata([tuple(map(float, point)) for point in points], [], faces)
    places = np.array([points[vertex.vertex_index] for vertex in mesh.loops])
    tile = np.array(told["tile"])
    # The sides go on with the texture of the top: it would be streaks if they only stretched its rim.
    flat = places[:, :2] + (half[2] - places[:, 2:]) * np.sign(places[:, :2])
    mesh.uv_layers.new().data.foreach_set("uv", (flat / tile + 0.5).ravel())
    mesh.materials.append(_material(told))
    thing = bpy.data.objects.new("box", mesh)
    if told["bevel"]:
        rounded = thing.modifiers.new("rounded", "BEVEL")
        rounded.width, rounded.segments = told["bevel"], 3
    _place(thing, _pose(told))


def _add_capsule(told: Description) -> None:
    """Add a rounded rod, such as a finger, from one point to another."""
    ball = bpy.data.meshes.new("capsule")
    along = np.array(told["to"]) - np.array(told["from"])
    length, radius = float(np.linalg.norm(along)), told["radius"]
    rows = [*np.linspace(-np.pi / 2, 0, 7), *np.linspace(0, np.pi / 2, 7)]
    around = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    points = [
        (radius * np.cos(row) * np.cos(a), radius * np.cos(row) * np.sin(a), radius * np.sin(row) + length * (k > 6))
        for k, row in enumerate(rows)
        for a in around
    ]
    faces = [
        (k * 24 + a, k * 24 + (a + 1) % 24, (k + 1) * 24 + (a + 1) % 24, (k + 1) * 24 + a)
        for k in range(len(rows) - 1)
        for a in range(24)
    ]
    ball.from_pydata([tuple(map(float, point)) for point in points], [], faces)
    ball.polygons.foreach_set("use_smooth", np.ones(len(faces), bool))
    ball.materials.append(_material(told))
    up = along / length
    side = np.cross([0.0, 1.0, 0.0] if abs(up[1]) < 0.9 else [1.0, 0.0, 0.0], up)
    side /= np.linalg.norm(side)
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = np.column_stack([side, np.cross(up, side), up]), told["from"]
    _place(bpy.data.objects.new("capsule", ball), pose)


def _die_mesh(told: Description, shapes: Blender) -> Blender:
    """Return a die of edge 2, which all dice of its look share."""
    vertices, places, quads = (shapes[f"{part}{told['mesh']}"] for part in ("vertices", "places", "quads"))
    mesh = bpy.data.meshes.new("die")
    mesh.vertices.add(len(vertices))
    mesh.vertices.foreach_set("co", vertices.astype(np.float32).ravel())
    mesh.loops.add(quads.size)
    mesh.loops.foreach_set("vertex_index", quads.ravel().astype(np.int32))
    mesh.polygons.add(len(quads))
    mesh.polygons.foreach_set("loop_start", np.arange(0, quads.size, 4, dtype=np.int32))
    mesh.uv_layers.new().data.foreach_set("uv", places[quads.ravel()].astype(np.float32).ravel())
    mesh.update(calc_edges=True)
    mesh.polygons.foreach_set("use_smooth", np.ones(len(quads), bool))
    mesh.materials.append(_material(told))
    return mesh


def _material(told: Description) -> Blender:
    """Return a material by its finish. Where a die is printed (its picture's alpha), light does not go through."""
    made = bpy.data.materials.new("material")
    nodes, links = made.node_tree.nodes, made.node_tree.links
    body, finish = nodes["Principled BSDF"], told["finish"]
    for name, value in finish["inputs"].items():
        body.inputs[name].default_value = value
    if told["picture"]:
        image = nodes.new("ShaderNodeTexImage")
        image.image = bpy.data.images.load(told["picture"], check_existing=True)
        image.image.alpha_mode = "CHANNEL_PACKED"
        image.extension = "MIRROR"
        links.new(image.outputs["Color"], body.inputs["Base Color"])
        if finish["bump_mm"]:
            bump = nodes.new("ShaderNodeBump")
            bump.inputs["Distance"].default_value = finish["bump_mm"]
            links.new(image.outputs["Color"], bump.inputs["Height"])
            links.new(bump.outputs[0], body.inputs["Normal"])
        if finish["clearness"]:
            _let_light_through(made, image, finish["clearness"])
    else:
        body.inputs["Base Color"].default_value = (*finish["colour"], 1.0)
    return made


def _let_light_through(made: Blender, image: Blender, clearness: float) -> None:
    """Make the body clear where nothing is printed; the lamps shine through it, in its colour."""
    nodes, links = made.node_tree.nodes, made.node_tree.links
    body, shown = nodes["Principled BSDF"], nodes["Material Output"]
    clear = nodes.new("ShaderNodeMath")
    clear.operation = "MULTIPLY_ADD"
    links.new(image.outputs["Alpha"], clear.inputs[0])
    clear.inputs[1].default_value, clear.inputs[2].default_value = -clearness, clearness
    links.new(clear.outputs[0], body.inputs["Transmission Weight"])
    path, share = nodes.new("ShaderNodeLightPath"), nodes.new("ShaderNodeMath")
    share.operation = "MULTIPLY"
    links.new(path.outputs["Is Shadow Ray"], share.inputs[0])
    links.new(clear.outputs[0], share.inputs[1])
    through, mixed = nodes.new("ShaderNodeBsdfTransparent"), nodes.new("ShaderNodeMixShader")
    links.new(image.outputs["Color"], through.inputs["Color"])
    links.new(share.outputs[0], mixed.inputs[0])
    links.new(body.outputs[0], mixed.inputs[1])
    links.new(through.outputs[0], mixed.inputs[2])
    links.new(mixed.outputs[0], shown.inputs["Surface"])


if __name__ == "__main__":
    main()
