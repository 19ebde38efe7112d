//! Server settings as told, rendered the way a server script writes them, so that the wanted and
//! the actual value can be compared as texts.

use super::World;
use crate::value::Packet;

pub(super) fn named(world: &mut World, p: &Packet) {
    let f = world.fields.setting;
    world.settings.names.insert(p.int(f.id), p.str(f.name).to_owned());
}

pub(super) fn boolean(world: &mut World, p: &Packet) {
    let f = world.fields.setting_bool;
    let value = if p.bool(f.val) { "enabled" } else { "disabled" };
    put(world, p.int(f.id), value.to_owned());
}

pub(super) fn integer(world: &mut World, p: &Packet) {
    let f = world.fields.setting_int;
    put(world, p.int(f.id), p.int(f.val).to_string());
}

pub(super) fn text(world: &mut World, p: &Packet) {
    let f = world.fields.setting_str;
    put(world, p.int(f.id), p.str(f.val).to_owned());
}

pub(super) fn choice(world: &mut World, p: &Packet) {
    let f = world.fields.setting_enum;
    let value = p.int(f.val);
    let name = usize::try_from(value).ok().and_then(|n| p.texts(f.support_names).get(n));
    put(world, p.int(f.id), name.map_or_else(|| value.to_string(), ToString::to_string));
}

pub(super) fn bits(world: &mut World, p: &Packet) {
    let f = world.fields.setting_bits;
    let value = p.int(f.val);
    let set = (0..).zip(p.texts(f.support_names)).filter(|(bit, _)| value >> bit & 1 == 1);
    let names: Vec<&str> = set.map(|(_, name)| name.as_ref()).collect();
    put(world, p.int(f.id), names.join("|"));
}

fn put(world: &mut World, id: i64, value: String) {
    let name = world.settings.names.get(&id).cloned().unwrap_or_else(|| format!("setting {id}"));
    world.settings.values.insert(name, value);
}
