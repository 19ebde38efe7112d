//! The server as oracle: our menus against what it accepts, and every kind of action carried out
//! once, in situations built by the server's own scripting.

mod actions;
mod arena;
mod cities;
mod cities_deeds;
mod cities_life;
mod deeds;
mod deeds_home;
mod deeds_land;
mod deeds_spies;
mod deeds_war;
mod desk;
mod diplomacy;
mod empire;
mod exceptions;
mod explore;
mod goto;
mod inquiry;
mod line;
mod moves;
mod player;
mod rival;
mod situations;
mod space;
mod transports;
mod work;

use desk::Desk;

#[test]
fn a_situation_can_be_built_and_seen() {
    let Some(mut desk) = Desk::open("classic", &[]) else { return };
    for line in desk.lua(
        "local t = {} for k in pairs(edit) do t[#t+1] = k end table.sort(t) \
         notify.all(table.concat(t, ' '))",
    ) {
        println!("{line}");
    }
    let at = desk.look().units[0].at;
    let unit = desk.make("Horsemen", at);
    let seen = desk.unit(unit).expect("it was made");
    assert_eq!(
        (seen.at, desk.rules().unit_types[usize::from(seen.kind.0)].name.as_str()),
        (at, "Horsemen")
    );
    desk.end_turn();
    assert_eq!(desk.look().turn, 2);
}
