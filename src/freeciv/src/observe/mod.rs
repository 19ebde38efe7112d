//! Turns the world into an [`Observation`]: the same facts as a plain, ordered value, with what is
//! lawful for everybody of ours.

use saga_core::action::Actor;
use saga_core::ids::{AdvanceId, GovernmentId, PlayerId};
use saga_core::observation::{
    City, ForeignCity, ForeignUnit, Map, Observation, OtherPlayer, OwnPlayer, Research, Spaceship,
    Tile, Treaty, Unit,
};

use crate::menu::Board;
use crate::world::World;
use crate::world::codes;
use crate::world::model::{
    CityState, Inside, PlayerState, SpaceshipStage, SpaceshipState, TileIndex, UnitState,
};

impl World {
    /// All that our player may see and lawfully do now, with what happened since the last call;
    /// `None` before the first turn was told. Menus of units are complete when
    /// [`World::questions`] were sent and their answers folded.
    pub fn observe(&mut self) -> Option<Observation> {
        self.me()?;
        self.rules_ref()?;
        let events = self.drain_events();
        let mut observation = Board::new(self)?.observe();
        observation.events = events;
        observation.opening = self.opening.take();
        Some(observation)
    }
}

impl Board<'_> {
    /// The facts with what is lawful.
    fn observe(&self) -> Observation {
        let mut seen = self.facts();
        self.survey(&seen);
        seen.me.technology_actions = self.technology();
        seen.me.government_actions = self.government();
        for player in &mut seen.players {
            player.actions = self.toward(player.id);
        }
        for city in &mut seen.cities {
            city.actions = self.of(Actor::City(city.id));
        }
        for unit in &mut seen.units {
            unit.actions = self.of(Actor::Unit(unit.id));
        }
        seen
    }

    /// All that we see, every menu left empty.
    pub(crate) fn facts(&self) -> Observation {
        let (world, seat) = (self.world, self.seat);
        let own = |owner: PlayerId| owner == seat;
        let cities = || world.cities.values();
        let units = || world.units.values();
        Observation {
            seat,
            turn: world.turn(),
            year: world.game.year,
            me: self.own_player(self.me),
            players: world
                .players
                .iter()
                .filter(|(id, _)| !own(**id))
                .map(|(id, player)| self.other_player(*id, player))
                .collect(),
            cities: cities()
                .filter(|c| own(c.owner))
                .filter_map(|c| Some(self.city(c, c.inside.as_deref()?)))
                .collect(),
            foreign_cities: cities()
                .filter(|c| !own(c.owner))
                .map(|c| self.foreign_city(c))
                .collect(),
            units: units().filter(|u| own(u.owner)).map(|u| self.unit(u)).collect(),
            foreign_units: units()
                .filter(|u| !own(u.owner))
                .map(|u| self.foreign_unit(u))
                .collect(),
            map: self.map(),
            treaties: self.treaties(),
            events: Vec::new(),
            opening: None,
        }
    }

    fn own_player(&self, me: &PlayerState) -> OwnPlayer {
        OwnPlayer {
            name: me.name.clone(),
            alive: me.alive,
            score: me.score,
            gold: me.gold,
            rates: me.rates,
            rate_max: self.rate_max(),
            government: GovernmentId(me.government as u16),
            revolution_ends: u32::try_from(me.revolution_ends).ok().filter(|turn| *turn > 0),
            culture: me.culture,
            advances: self.known_advances(),
            research: self.research(),
            spaceship: self.spaceship().map(spaceship),
            technology_actions: Vec::new(),
            government_actions: Vec::new(),
        }
    }

    fn known_advances(&self) -> Vec<AdvanceId> {
        self.world.my_research().map_or_else(Vec::new, |r| known(&r.inventions))
    }

    fn research(&self) -> Research {
        let research = self.world.my_research();
        let subject = |number: i64| {
            let id = AdvanceId(u16::try_from(number).ok()?);
            (id.0 != 0 && self.rules.advance(id).is_some()).then_some(id)
        };
        Research {
            now: research.and_then(|r| subject(r.now)),
            bulbs: research.map_or(0, |r| r.bulbs),
            cost: research.map_or(0, |r| r.cost),
            goal: research.and_then(|r| subject(r.goal)),
            bulbs_per_turn: research.map_or(0, |r| r.bulbs_per_turn),
            future: research.map_or(0, |r| r.future),
        }
    }

    fn other_player(&self, id: PlayerId, them: &PlayerState) -> OtherPlayer {
        let pact = self.world.pact(id);
        let contact = pact.contact_turns_left > 0;
        let embassy = self.embassy_with(id);
        let seat = self.world.seat();
        let told = contact || embassy;
        let research = self.world.research_of(id);
        OtherPlayer {
            id,
            name: them.name.clone(),
            alive: them.alive,
            barbarian: codes::barbarian(them.barbarian).map(str::to_owned),
            stance: codes::stance(pact.kind),
            stance_turns: pact.turns_left,
            contact,
            embassy,
            embassy_of_theirs: seat.is_some_and(|seat| them.embassies.contains(&seat.0)),
            score: told.then_some(them.score),
            gold: told.then_some(them.gold),
            government: told.then_some(GovernmentId(them.government as u16)),
            advances: research.filter(|_| embassy).map(|r| r.known),
            known: research.filter(|_| embassy).map_or_else(Vec::new, |r| known(&r.inventions)),
            vision_from: self.shown_by(id),
            vision_to: self.shows_to(id),
            actions: Vec::new(),
        }
    }

    fn city(&self, city: &CityState, inside: &Inside) -> City {
        City {
            id: city.id,
            name: city.name.clone(),
            at: self.world.map.place(city.tile),
            size: city.size,
            mood: inside.mood,
            disorder: inside.disorder(),
            specialists: inside.specialists.clone(),
            surplus: inside.surplus,
            food_stock: inside.food_stock,
            granary: self.granary(city.size),
            shield_stock: inside.shield_stock,
            production: inside.production,
            production_cost: self.cost(inside.production),
            worklist: inside.worklist.clone(),
            buy_cost: inside.buy_cost,
            did_buy: inside.did_buy,
            did_sell: inside.did_sell,
            radius_sq: inside.radius_sq,
            buildings: city.buildings.iter().copied().collect(),
            turn_founded: inside.turn_founded,
            turn_last_built: inside.turn_last_built,
            pollution: inside.pollution,
            culture: inside.culture,
            actions: Vec::new(),
        }
    }

    /// Food a city of this size must gather to grow.
    fn granary(&self, size: u32) -> i32 {
        let game = &self.world.game;
        let Some(last) = game.granary_first.last() else { return 0 };
        let index = size.saturating_sub(1) as usize;
        let beyond = (index + 1).saturating_sub(game.granary_first.len()) as i64;
        let base = game.granary_first.get(index).unwrap_or(last);
        let food = (base + game.granary_more * beyond) * game.food_box_pct / 100;
        i32::try_from(food.max(1)).unwrap_or(i32::MAX)
    }

    fn foreign_city(&self, city: &CityState) -> ForeignCity {
        ForeignCity {
            id: city.id,
            name: city.name.clone(),
            owner: city.owner,
            at: self.world.map.place(city.tile),
            size: city.size,
            occupied: city.occupied,
            walls: city.walls,
            buildings: city.buildings.iter().copied().collect(),
        }
    }

    fn unit(&self, unit: &UnitState) -> Unit {
        Unit {
            id: unit.id,
            kind: unit.kind,
            at: self.world.map.place(unit.tile),
            home: unit.home,
            hp: unit.hp,
            moves: unit.moves,
            veteran: unit.veteran,
            fuel: unit.fuel,
            activity: codes::activity(unit.activity),
            activity_extra: unit.activity_extra,
            auto: unit.auto,
            goto: unit.goto.filter(|_| unit.orders).map(|tile| self.world.map.place(tile)),
            aboard: unit.aboard,
            actions: Vec::new(),
        }
    }

    fn foreign_unit(&self, unit: &UnitState) -> ForeignUnit {
        ForeignUnit {
            id: unit.id,
            owner: unit.owner,
            kind: unit.kind,
            at: self.world.map.place(unit.tile),
            hp: unit.hp,
            veteran: unit.veteran,
        }
    }

    fn map(&self) -> Map {
        let map = &self.world.map;
        let known = (0 as TileIndex..).zip(&map.tiles).filter(|(_, tile)| tile.known > 0);
        let tiles = known.filter_map(|(index, tile)| {
            Some(Tile {
                at: map.place(index),
                seen: tile.known == 2,
                terrain: saga_core::ids::TerrainId(tile.terrain?),
                extras: tile.extras.clone(),
                owner: tile.owner,
                worked_by: tile.worked_by,
            })
        });
        Map {
            width: map.width,
            height: map.height,
            wrap_x: map.wraps_x(),
            wrap_y: map.wraps_y(),
            tiles: tiles.collect(),
        }
    }

    fn treaties(&self) -> Vec<Treaty> {
        let open = self.world.meetings.iter();
        open.map(|(with, meeting)| Treaty {
            with: *with,
            opened_by: meeting.opened_by,
            clauses: meeting.clauses.clone(),
            accepted_by_us: meeting.accepted_by_us,
            accepted_by_them: meeting.accepted_by_them,
        })
        .collect()
    }
}

/// The advances with the letter for known.
fn known(letters: &str) -> Vec<AdvanceId> {
    let known = (0u16..).zip(letters.bytes()).skip(1).filter(|(_, letter)| *letter == b'2');
    known.map(|(id, _)| AdvanceId(id)).collect()
}

/// Chances and times are told in ten thousandths.
fn spaceship(ship: &SpaceshipState) -> Spaceship {
    Spaceship {
        structurals: ship.structurals,
        components: ship.components,
        modules: ship.modules,
        unplaced: ship.unplaced(),
        launched: matches!(ship.stage, SpaceshipStage::Launched | SpaceshipStage::Arrived),
        success_pct: ship.success / 100,
        travel_years: ship.travel.div_ceil(10_000),
    }
}
