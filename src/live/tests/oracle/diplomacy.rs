//! Treaties and pacts: every clause is tried with the other side in our hands, in every stance, and
//! what the server takes is what the menu offered; then each kind of proposal once for its effect.

use std::collections::BTreeSet;

use saga_core::action::{Action, Actor, Clause, ClauseKind, Outcome};
use saga_core::ids::{AdvanceId, GovernmentId, PlayerId};
use saga_core::observation::{OtherPlayer, Stance};

use crate::desk::Desk;
use crate::rival::Rival;

const STANCES: [Stance; 5] =
    [Stance::War, Stance::CeaseFire, Stance::Armistice, Stance::Peace, Stance::Alliance];

/// A desk and its rival, in contact for the whole test, each with advances the other lacks.
fn two(ruleset: &str, settings: &[(&str, &str)]) -> Option<(Desk, Rival)> {
    let settings = [&[("contactturns", "100"), ("gold", "300")], settings].concat();
    let mut desk = Desk::open(ruleset, &settings)?;
    let player = desk.observe().players.iter().find(|p| p.barbarian.is_none())?.id;
    let mut rival = Rival::sit(&mut desk, player);
    let (us, them) = (desk.seat(), rival.seat());
    teach(&mut desk, us, &["Alphabet", "Bronze Working", "Pottery"]);
    let theirs = ["Ceremonial Burial", "Horseback Riding", "Masonry", "Writing", "Mathematics"];
    teach(&mut desk, them, &[&["Alphabet"], &theirs[..]].concat());
    rival.settle();
    Some((desk, rival))
}

fn teach(desk: &mut Desk, player: PlayerId, advances: &[&str]) {
    for advance in advances {
        desk.lua(&format!(
            "edit.give_tech(find.player({player}), find.tech_type('{advance}'), 0, false, \
             'researched')"
        ));
    }
}

fn toward(desk: &mut Desk, rival: &Rival) -> OtherPlayer {
    let them = rival.seat();
    desk.observe().players.into_iter().find(|p| p.id == them).expect("a rival")
}

/// Brings both to this stance, peace by the way of its armistice.
fn reach(desk: &mut Desk, rival: &mut Rival, stance: Stance) {
    rival.pact(desk, Stance::War);
    if stance == Stance::Peace {
        rival.pact(desk, Stance::Armistice);
        while rival.stance(desk) == Stance::Armistice {
            rival.end_turn(desk);
        }
    } else {
        rival.pact(desk, stance);
    }
    assert_eq!(rival.stance(desk), stance);
}

/// Every single clause there is between the two, without advances and sights that their receiver
/// has: the server takes those and nothing comes of them. Advances that the giver does not know
/// only where `unknown` asks for them.
fn all_clauses(desk: &mut Desk, rival: &mut Rival, unknown: bool) -> Vec<Clause> {
    let (ours, theirs) = (desk.observe().me, rival.observe().me);
    let us = desk.seat();
    let other = toward(desk, rival);
    let sides = [
        (us, ours.gold, &ours.advances, &theirs.advances),
        (rival.seat(), theirs.gold, &theirs.advances, &ours.advances),
    ];
    let mut clauses = Vec::new();
    for kind in [ClauseKind::CeaseFire, ClauseKind::Peace, ClauseKind::Alliance] {
        clauses.push(Clause { giver: us, kind, value: 0 });
    }
    for (giver, gold, has, had) in sides {
        let kinds = [
            ClauseKind::WorldMap,
            ClauseKind::SeaMap,
            ClauseKind::SharedVision,
            ClauseKind::Embassy,
        ];
        let given = if giver == us { other.vision_to } else { other.vision_from };
        let kinds = kinds.into_iter().filter(|k| *k != ClauseKind::SharedVision || !given);
        clauses.extend(kinds.map(|kind| clause(giver, kind, 0)));
        let sums = [1, gold, gold + 1];
        clauses.extend(sums.map(|value| Clause { giver, kind: ClauseKind::Gold, value }));
        let advances = (1..desk.rules().advances.len() as u16).map(AdvanceId);
        let lacking = advances.filter(|a| !had.contains(a) && (unknown || has.contains(a)));
        clauses.extend(lacking.map(|a| clause(giver, ClauseKind::Advance, a.0.into())));
    }
    clauses
}

/// Tries all clauses and compares; returns how many questions were put.
fn clauses_both_ways(desk: &mut Desk, rival: &mut Rival, moment: &str) -> usize {
    let other = toward(desk, rival);
    let them = other.id;
    let proposals = other.actions.iter().filter_map(|action| match action {
        Action::Propose { clauses, .. } => Some(clauses),
        _ => None,
    });
    let count = proposals.clone().count();
    assert!(count <= 24, "{count} proposals, {moment}");
    let offered: BTreeSet<Clause> = proposals.flatten().copied().collect();
    let all = all_clauses(desk, rival, !other.embassy);
    let taken: BTreeSet<Clause> = all.iter().copied().filter(|c| rival.would(desk, *c)).collect();
    let listed = |c: &&Clause| c.kind != ClauseKind::Gold;
    rival.part(desk);
    let unlawful: Vec<&Clause> =
        offered.iter().filter(listed).filter(|c| !taken.contains(c)).collect();
    assert!(unlawful.is_empty(), "offered and refused, {moment}: {unlawful:?}");
    for gold in offered.iter().filter(|c| c.kind == ClauseKind::Gold) {
        assert!(rival.would(desk, *gold), "offered and refused, {moment}: {gold:?}");
    }
    rival.part(desk);
    // By LONG_LISTS gifts of ours are not offered for nothing, by ALLIES_UNKNOWN no alliance
    // without an embassy; what we could get or agree on is.
    let wanted = |c: &&Clause| match c.kind {
        ClauseKind::Gold | ClauseKind::Advance => false,
        ClauseKind::CeaseFire | ClauseKind::Peace => true,
        ClauseKind::Alliance => other.embassy,
        _ => c.giver == them,
    };
    let missing: Vec<&Clause> =
        taken.iter().filter(wanted).filter(|c| !offered.contains(c)).collect();
    assert!(missing.is_empty(), "taken and not offered, {moment}: {missing:?}");
    // Of their advances as many as the menu has room for, once an embassy shows them.
    let advances = |set: &BTreeSet<Clause>| {
        set.iter().filter(|c| c.giver == them && c.kind == ClauseKind::Advance).count()
    };
    let room = if other.embassy { 6 } else { 0 };
    assert_eq!(advances(&offered), advances(&taken).min(room), "their advances, {moment}");
    all.len()
}

/// Cancelling in every stance: offered exactly when it changes something.
fn cancel_both_ways(desk: &mut Desk, rival: &mut Rival, moment: &str) {
    let before = toward(desk, rival);
    let offered = before.actions.contains(&Action::CancelPact { with: before.id });
    rival.cancel(desk);
    assert_eq!(offered, rival.stance(desk) != before.stance, "cancelling, {moment}");
}

fn in_every_stance(ruleset: &str) {
    let Some((mut desk, mut rival)) = two(ruleset, &[]) else { return };
    let mut asked = clauses_both_ways(&mut desk, &mut rival, &format!("{ruleset}, no embassy"));
    let them = rival.seat();
    let exchange = [desk.seat(), them].map(|giver| clause(giver, ClauseKind::Embassy, 0));
    assert!(rival.conclude(&mut desk, &exchange));
    for stance in STANCES {
        reach(&mut desk, &mut rival, stance);
        let moment = format!("{ruleset}, {stance:?}");
        asked += clauses_both_ways(&mut desk, &mut rival, &moment);
        cancel_both_ways(&mut desk, &mut rival, &moment);
    }
    let sights = [desk.seat(), them].map(|giver| clause(giver, ClauseKind::SharedVision, 0));
    assert!(rival.conclude(&mut desk, &sights));
    asked += clauses_both_ways(&mut desk, &mut rival, &format!("{ruleset}, vision shared"));
    for setting in ["trading_tech", "trading_gold"] {
        desk.console(&format!("set {setting} disabled"));
        asked += clauses_both_ways(&mut desk, &mut rival, &format!("{ruleset}, no {setting}"));
    }
    println!("clauses in {ruleset}: {asked} questions, no difference");
    assert!(asked >= 350, "{asked}");
}

#[test]
fn clauses_are_what_the_server_accepts_in_classic() {
    in_every_stance("classic");
}

#[test]
fn clauses_are_what_the_server_accepts_in_civ2civ3() {
    in_every_stance("civ2civ3");
}

#[test]
fn meetings_are_what_the_setting_allows() {
    let Some((mut desk, rival)) = two("classic", &[]) else { return };
    let them = rival.seat();
    let name = toward(&mut desk, &rival).name;
    for played_by in ["a human", "the AI"] {
        for value in ["ALL", "HUMAN", "AI", "NOAI", "NOMIXED", "TEAM", "DISABLED"] {
            desk.console(&format!("set diplomacy {value}"));
            let offered = toward(&mut desk, &rival).actions;
            let offered = offered.iter().any(|a| matches!(a, Action::Propose { .. }));
            let with = [("counterpart", i64::from(them.0).into())];
            desk.send("DIPLOMACY_INIT_MEETING_REQ", &with);
            let opened = !desk.observe().treaties.is_empty();
            desk.send("DIPLOMACY_CANCEL_MEETING_REQ", &with);
            assert_eq!(offered, opened, "{value} with {played_by}");
        }
        desk.console(&format!("aitoggle \"{name}\""));
        desk.console("set diplomacy ALL");
        desk.send("DIPLOMACY_CANCEL_MEETING_REQ", &[("counterpart", i64::from(them.0).into())]);
    }
}

#[test]
fn a_senate_guards_pacts() {
    let Some((mut desk, mut rival)) = two("classic", &[]) else { return };
    let us = desk.seat();
    teach(&mut desk, us, &["Code of Laws", "Literacy", "The Republic"]);
    let at = desk.rules().governments.iter().position(|g| g.name == "Republic");
    let government = GovernmentId(at.expect("a republic") as u16);
    let outcome = desk.order(Actor::Player, Action::Revolution { government });
    assert_eq!(outcome, Outcome::Done);
    rival.end_turn(&mut desk);
    rival.pact(&mut desk, Stance::CeaseFire);
    assert_eq!(desk.observe().me.government, government);
    cancel_both_ways(&mut desk, &mut rival, "under a senate");
    assert_eq!(rival.stance(&mut desk), Stance::CeaseFire);
}

fn clause(giver: PlayerId, kind: ClauseKind, value: u32) -> Clause {
    Clause { giver, kind, value }
}

/// Finds the proposal of which this is a clause, makes it, lets the rival accept, and gives back
/// how things stand then.
fn propose(desk: &mut Desk, rival: &mut Rival, with: Clause) -> OtherPlayer {
    let menu = toward(desk, rival).actions;
    let fits =
        |a: &&Action| matches!(a, Action::Propose { clauses, .. } if clauses.contains(&with));
    let action = menu.iter().find(fits).unwrap_or_else(|| panic!("no {with:?} in {menu:?}"));
    let outcome = rival.agree(desk, action.clone());
    assert_eq!(outcome, Outcome::Done, "{action:?}");
    toward(desk, rival)
}

#[test]
fn propose_cease_fire_peace_and_alliance_and_cancel_each_step() {
    let Some((mut desk, mut rival)) = two("classic", &[]) else { return };
    let (us, them) = (desk.seat(), rival.seat());
    let now = propose(&mut desk, &mut rival, clause(us, ClauseKind::CeaseFire, 0));
    assert_eq!((now.stance, now.stance_turns), (Stance::CeaseFire, 16));
    let now = propose(&mut desk, &mut rival, clause(us, ClauseKind::Peace, 0));
    assert_eq!((now.stance, now.stance_turns), (Stance::Armistice, 16));
    while rival.stance(&mut desk) == Stance::Armistice {
        rival.end_turn(&mut desk);
    }
    assert_eq!(rival.stance(&mut desk), Stance::Peace);
    propose(&mut desk, &mut rival, clause(us, ClauseKind::Embassy, 0));
    let now = propose(&mut desk, &mut rival, clause(us, ClauseKind::Alliance, 0));
    assert_eq!(now.stance, Stance::Alliance);
    let cancel = Action::CancelPact { with: them };
    for (from, to) in [
        (Stance::CeaseFire, Stance::War),
        (Stance::Armistice, Stance::War),
        (Stance::Peace, Stance::War),
        (Stance::Alliance, Stance::Armistice),
    ] {
        reach(&mut desk, &mut rival, from);
        assert_eq!(desk.order(Actor::Toward(them), cancel.clone()), Outcome::Done, "{from:?}");
        assert_eq!(rival.stance(&mut desk), to, "from {from:?}");
    }
}

#[test]
fn embassy_exchange_shared_vision_and_withdraw_vision() {
    let Some((mut desk, mut rival)) = two("classic", &[]) else { return };
    let (us, them) = (desk.seat(), rival.seat());
    let now = propose(&mut desk, &mut rival, clause(us, ClauseKind::Embassy, 0));
    assert!(now.embassy && now.embassy_of_theirs && !now.known.is_empty());
    let before = desk.look().map.tiles.iter().filter(|t| t.seen).count();
    let now = propose(&mut desk, &mut rival, clause(us, ClauseKind::SharedVision, 0));
    assert!(now.vision_from && now.vision_to);
    let after = desk.look().map.tiles.iter().filter(|t| t.seen).count();
    assert!(after > before, "{before} tiles seen before, {after} after");
    let withdraw = Action::WithdrawVision { from: them };
    assert_eq!(desk.order(Actor::Toward(them), withdraw), Outcome::Done);
    let now = toward(&mut desk, &rival);
    assert!(now.vision_from && !now.vision_to);
}

#[test]
fn advance_swap_gold_for_advance_and_vision_and_maps() {
    let Some((mut desk, mut rival)) = two("classic", &[]) else { return };
    let us = desk.seat();
    propose(&mut desk, &mut rival, clause(us, ClauseKind::Embassy, 0));
    // A swap: ours that they lack for one of theirs.
    let menu = toward(&mut desk, &rival).actions;
    let swaps = |a: &&Action| {
        matches!(a, Action::Propose { clauses, .. }
            if matches!(clauses[..], [Clause { kind: ClauseKind::Advance, .. },
                Clause { kind: ClauseKind::Advance, .. }]))
    };
    let deal = menu.iter().find(swaps).expect("a swap").clone();
    let Action::Propose { clauses, .. } = &deal else { unreachable!() };
    let (given, got) = (clauses[0].value, clauses[1].value);
    assert_eq!(rival.agree(&mut desk, deal.clone()), Outcome::Done);
    let knows = |list: &[AdvanceId], id| list.iter().any(|a| u32::from(a.0) == id);
    assert!(knows(&toward(&mut desk, &rival).known, given));
    assert!(knows(&desk.observe().me.advances, got));
    // Gold for an advance.
    let menu = toward(&mut desk, &rival).actions;
    let buys = |a: &&Action| {
        matches!(a, Action::Propose { clauses, .. }
            if matches!(clauses[..], [Clause { giver, kind: ClauseKind::Gold, .. },
                Clause { kind: ClauseKind::Advance, .. }] if giver == us))
    };
    let deal = menu.iter().find(buys).expect("an advance for gold").clone();
    let Action::Propose { clauses, .. } = &deal else { unreachable!() };
    let (gold, advance) = (clauses[0].value, clauses[1].value);
    let before = desk.observe().me;
    assert_eq!(rival.agree(&mut desk, deal.clone()), Outcome::Done);
    let me = desk.observe().me;
    assert_eq!(me.gold, before.gold - gold);
    assert!(me.advances.iter().any(|a| u32::from(a.0) == advance));
    // One of ours for theirs.
    let menu = toward(&mut desk, &rival).actions;
    let sells = |a: &&Action| {
        matches!(a, Action::Propose { clauses, .. }
            if matches!(clauses[..], [Clause { kind: ClauseKind::Advance, .. },
                Clause { kind: ClauseKind::Gold, .. }]))
    };
    let deal = menu.iter().find(sells).expect("a sale").clone();
    let before = desk.observe().me.gold;
    assert_eq!(rival.agree(&mut desk, deal), Outcome::Done);
    assert!(desk.observe().me.gold > before);
    // Their sight for gold.
    let (gold, now) = pay_for(&mut desk, &mut rival, ClauseKind::SharedVision);
    assert_eq!(gold, 50);
    assert!(now.vision_from && !now.vision_to);
}

/// Buys this from the rival; the gold it took, and how things stand then.
fn pay_for(desk: &mut Desk, rival: &mut Rival, what: ClauseKind) -> (u32, OtherPlayer) {
    let menu = toward(desk, rival).actions;
    let buys = |a: &&Action| {
        matches!(a, Action::Propose { clauses, .. }
            if clauses[0].kind == ClauseKind::Gold && clauses[1].kind == what)
    };
    let deal = menu.iter().find(buys).unwrap_or_else(|| panic!("no {what:?} for gold")).clone();
    let before = desk.observe().me.gold;
    assert_eq!(rival.agree(desk, deal), Outcome::Done);
    (before - desk.observe().me.gold, toward(desk, rival))
}

#[test]
fn gold_for_an_embassy_and_for_maps() {
    let Some((mut desk, mut rival)) = two("classic", &[("gold", "1000")]) else { return };
    let (gold, now) = pay_for(&mut desk, &mut rival, ClauseKind::Embassy);
    assert!(gold == 200 && now.embassy && !now.embassy_of_theirs);
    let tiles = desk.look().map.tiles.len();
    assert_eq!(pay_for(&mut desk, &mut rival, ClauseKind::WorldMap).0, 200);
    assert!(desk.look().map.tiles.len() > tiles);
}

#[test]
fn world_map_swap_and_sea_map_swap() {
    for kind in [ClauseKind::SeaMap, ClauseKind::WorldMap] {
        let Some((mut desk, mut rival)) = two("classic", &[]) else { return };
        let (us, them) = (desk.seat().0, rival.seat().0);
        // They have seen a far coast.
        desk.lua(&format!(
            "local n = 0 for t in whole_map_iterate() do \
               if n < 8 and t:num_units() == 0 and t.x % 7 == 3 \
                 and t.terrain:rule_name() == 'Ocean' then \
                 edit.create_unit(find.player({them}), t, find.unit_type('Trireme'), 0, nil, -1) \
                 n = n + 1 end end"
        ));
        let before = desk.look().map.tiles.len();
        propose(&mut desk, &mut rival, clause(PlayerId(us), kind, 0));
        let after = desk.look().map.tiles.len();
        assert!(after > before, "{kind:?}: {before} tiles known before, {after} after");
    }
}

#[test]
fn accept_treaty_and_reject_treaty() {
    let Some((mut desk, mut rival)) = two("classic", &[]) else { return };
    let (us, them) = (desk.seat(), rival.seat());
    for (answer, stance) in [
        (Action::RejectTreaty { with: them }, Stance::War),
        (Action::AcceptTreaty { with: them }, Stance::CeaseFire),
    ] {
        rival.invite(&mut desk, clause(them, ClauseKind::CeaseFire, 0));
        let menu = toward(&mut desk, &rival).actions;
        assert!(menu.contains(&answer), "{menu:?}");
        assert_eq!(desk.order(Actor::Toward(them), answer), Outcome::Done);
        assert_eq!(rival.stance(&mut desk), stance);
        assert!(desk.observe().treaties.is_empty());
        rival.settle();
    }
    // What we could not keep is not accepted: more gold than we have.
    let gold = desk.observe().me.gold;
    for (sum, may) in [(gold, true), (gold + 1, false)] {
        rival.invite(&mut desk, clause(us, ClauseKind::Gold, sum));
        let menu = toward(&mut desk, &rival).actions;
        assert_eq!(menu.contains(&Action::AcceptTreaty { with: them }), may, "{sum} of {gold}");
        desk.order(Actor::Toward(them), Action::RejectTreaty { with: them });
        rival.settle();
    }
}
