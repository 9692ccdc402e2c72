//! Positions of Durak that are copied and played on in a few nanoseconds.
//!
//! They follow the same rules as [`rules::durak`], but know no history: that the same start of a
//! bout for the third time is a draw is for those to see who search.

use rules::durak::{HAND, Options, Throwers, Transfer};

use crate::durak::search::cards::{Cards, Place};

pub const SEATS: usize = 6;

pub const MOST_ATTACKS: u8 = 6;

/// Fixed parts of a game: the rules, and the order of the talon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameSetup {
    pub options: Options,
    /// The cards of the talon from the top; the trump card is the last.
    pub talon: [Place; 52],
    /// Number of cards of the talon.
    pub size: u8,
    /// The seats for which the rules play, a bit each.
    pub idle: u8,
    /// The cards that are left of the talon, by how many are drawn.
    rests: [Cards; 53],
}

impl GameSetup {
    /// A world with the first `size` cards of this talon.
    pub fn new(options: Options, talon: [Place; 52], size: u8, idle: u8) -> GameSetup {
        let mut world =
            GameSetup { options, talon, size: size.min(52), idle, rests: [Cards::EMPTY; 53] };
        world.lay_out();
        world
    }

    /// To be called once the order of the talon has changed.
    pub fn lay_out(&mut self) {
        let mut rest = Cards::EMPTY;
        for drawn in (0..usize::from(self.size)).rev() {
            rest = rest.and(Cards::one(self.talon[drawn]));
            self.rests[drawn] = rest;
        }
    }

    /// The cards of the talon that are left once this number is drawn.
    pub fn talon_after(&self, drawn: u8) -> Cards {
        self.rests[usize::from(drawn).min(52)]
    }
}

/// A position in which everything is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub hands: [Cards; SEATS],
    pub table: Cards,
    /// The attack cards that are to be beaten, in their order; none if the defender takes.
    pub unbeaten: UnbeatenCards,
    /// The seats that are still in, a bit each.
    pub players: u8,
    /// The seat that led the first card of the bout.
    pub first: u8,
    pub attacker: u8,
    pub defender: u8,
    pub turn: u8,
    pub phase: PositionPhase,
    pub attacks: u8,
    /// The most attack cards.
    pub limit: u8,
    /// Number of drawn cards of the talon.
    pub drawn: u8,
    /// The most attack cards in this bout, for any hands.
    pub most: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PositionPhase {
    Lead,
    /// The defender answers the first card that is not beaten.
    Defend,
    /// A seat may throw a card in.
    Throw,
    /// A seat may give the defender, who takes, one more card.
    Load,
    /// Nothing: the seats of these bits share the loss.
    Over(u8),
}

/// Up to four cards in their order: only a transfer leaves several attack cards unbeaten, and they
/// are of one rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UnbeatenCards(u32);

/// A move: which card it plays, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Play {
    /// Leads, beats or throws.
    Card(Place),
    Transfer(Place),
    /// Takes, or is done.
    Pass,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LegalPlays {
    /// The cards to lead, beat with or throw.
    pub cards: Cards,
    /// The cards to pass the attack on with.
    pub transfers: Cards,
    pub may_pass: bool,
}

impl UnbeatenCards {
    pub const fn first(self) -> Option<Place> {
        if self.0 == 0 { None } else { Some((self.0 & 0xff) as Place - 1) }
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn bits(self) -> u32 {
        self.0
    }

    pub fn push(&mut self, place: Place) {
        let end = 32u32.saturating_sub(self.0.leading_zeros()).next_multiple_of(8);
        self.0 |= (u32::from(place) + 1).checked_shl(end).unwrap_or(0);
    }

    pub fn pop(&mut self) {
        self.0 >>= 8;
    }
}

impl LegalPlays {
    pub fn contain(self, play: Play) -> bool {
        match play {
            Play::Card(place) => self.cards.contains(place),
            Play::Transfer(place) => self.transfers.contains(place),
            Play::Pass => self.may_pass,
        }
    }

    /// Every legal move, that without a card last.
    pub fn plays(self) -> impl Iterator<Item = Play> {
        let pass = self.may_pass.then_some(Play::Pass);
        self.cards.map(Play::Card).chain(self.transfers.map(Play::Transfer)).chain(pass)
    }
}

impl Position {
    pub fn hand(&self) -> Cards {
        self.hand_at(self.turn)
    }

    pub fn hand_at(&self, seat: u8) -> Cards {
        self.hands[usize::from(seat) % SEATS]
    }

    pub fn is_in(&self, seat: u8) -> bool {
        self.players >> seat & 1 == 1
    }

    pub fn talon_left(&self, world: &GameSetup) -> u8 {
        world.size - self.drawn
    }

    /// The moves that are legal; none if the game is over.
    pub fn choices(&self, world: &GameSetup) -> LegalPlays {
        let hand = self.hand();
        let (cards, transfers, may_pass) = match self.phase {
            PositionPhase::Lead => (hand, Cards::EMPTY, false),
            PositionPhase::Defend => {
                let attack = self.unbeaten.first().unwrap_or_default();
                (hand.beating(attack), self.transfers(world), true)
            }
            PositionPhase::Throw | PositionPhase::Load => {
                (hand.of_ranks(self.table), Cards::EMPTY, true)
            }
            PositionPhase::Over(_) => (Cards::EMPTY, Cards::EMPTY, false),
        };
        LegalPlays { cards, transfers, may_pass }
    }

    /// The cards with which the attack may be passed on.
    fn transfers(&self, world: &GameSetup) -> Cards {
        let nothing_beaten = self.table.len() == u32::from(self.attacks);
        if world.options.transfer == Transfer::Off || !nothing_beaten {
            return Cards::EMPTY;
        }
        let next = self.next_in(self.defender, world);
        if self.attacks >= self.limit_against(next) {
            return Cards::EMPTY;
        }
        self.hand().of_ranks(self.table)
    }

    /// Plays a legal move, and passes seats that could throw nothing.
    pub fn play(&mut self, play: Play, world: &GameSetup) {
        match play {
            Play::Card(place) => self.play_card(place, world),
            Play::Transfer(place) => {
                self.lay(place);
                self.unbeaten.push(place);
                self.attacks += 1;
                self.attacker = self.defender;
                self.defender = self.next_in(self.attacker, world);
                self.turn = self.defender;
                self.limit = self.limit_against(self.defender);
            }
            Play::Pass if self.phase == PositionPhase::Defend => {
                self.unbeaten = UnbeatenCards::default();
                self.offer(PositionPhase::Load, world);
            }
            Play::Pass => self.offer_next(world),
        }
    }

    fn play_card(&mut self, place: Place, world: &GameSetup) {
        self.lay(place);
        match self.phase {
            PositionPhase::Lead | PositionPhase::Throw => {
                self.unbeaten.push(place);
                self.attacks += 1;
                self.phase = PositionPhase::Defend;
                self.turn = self.defender;
            }
            PositionPhase::Defend => {
                self.unbeaten.pop();
                if self.unbeaten.is_empty() {
                    if self.hand_at(self.defender).is_empty() {
                        self.end_bout(world);
                    } else {
                        self.offer(PositionPhase::Throw, world);
                    }
                }
            }
            PositionPhase::Load => {
                self.attacks += 1;
                if self.attacks >= self.limit {
                    self.end_bout(world);
                } else if self.hand().of_ranks(self.table).is_empty() {
                    self.offer_next(world);
                }
            }
            PositionPhase::Over(_) => {}
        }
    }

    fn lay(&mut self, place: Place) {
        let card = Cards::one(place);
        let hand = &mut self.hands[usize::from(self.turn) % SEATS];
        *hand = hand.without(card);
        self.table = self.table.and(card);
    }

    /// Offers to throw to every seat in turn, beginning with the attacker.
    fn offer(&mut self, phase: PositionPhase, world: &GameSetup) {
        self.phase = phase;
        if self.attacks >= self.limit {
            return self.end_bout(world);
        }
        self.turn = self.attacker;
        if self.hand().of_ranks(self.table).is_empty() {
            self.offer_next(world);
        }
    }

    /// Offers to throw to the next seat that could; without one the bout ends.
    fn offer_next(&mut self, world: &GameSetup) {
        let seats = world.options.seats() as u8;
        let side = match world.options.throwers {
            Throwers::All => None,
            Throwers::Neighbours => Some(self.next_in(self.defender, world)),
        };
        loop {
            self.turn = if self.turn + 1 >= seats { 0 } else { self.turn + 1 };
            if self.turn == self.attacker {
                return self.end_bout(world);
            }
            let may = self.turn != self.defender
                && self.is_in(self.turn)
                && side.is_none_or(|side| side == self.turn);
            if may && !self.hand().of_ranks(self.table).is_empty() {
                return;
            }
        }
    }

    fn end_bout(&mut self, world: &GameSetup) {
        let seats = world.options.seats() as u8;
        let taken = self.phase == PositionPhase::Load;
        if taken {
            let hand = &mut self.hands[usize::from(self.defender) % SEATS];
            *hand = hand.and(self.table);
        }
        self.table = Cards::EMPTY;
        self.attacks = 0;
        self.most = MOST_ATTACKS;
        if self.drawn < world.size {
            let mut seat = self.first;
            for _ in 0..seats {
                if seat != self.defender && self.is_in(seat) {
                    self.refill(seat, world);
                }
                seat = if seat + 1 >= seats { 0 } else { seat + 1 };
            }
            self.refill(self.defender, world);
        }
        let in_bout = self.players;
        if self.drawn >= world.size {
            for seat in 0..seats {
                if self.hand_at(seat).is_empty() {
                    self.players &= !(1 << seat);
                }
            }
        }
        match self.players.count_ones() {
            0 => self.phase = PositionPhase::Over(in_bout),
            1 => self.phase = PositionPhase::Over(self.players),
            _ => {
                let stays = !taken && self.is_in(self.defender);
                let next = if stays { self.defender } else { self.next_in(self.defender, world) };
                self.begin(next, world);
            }
        }
    }

    fn begin(&mut self, attacker: u8, world: &GameSetup) {
        self.first = attacker;
        self.attacker = attacker;
        self.turn = attacker;
        self.defender = self.next_in(attacker, world);
        self.limit = self.limit_against(self.defender);
        self.phase = PositionPhase::Lead;
    }

    fn refill(&mut self, seat: u8, world: &GameSetup) {
        let hand = &mut self.hands[usize::from(seat) % SEATS];
        let missing = HAND.saturating_sub(hand.len() as usize);
        for place in
            world.talon.iter().take(usize::from(world.size)).skip(self.drawn.into()).take(missing)
        {
            *hand = hand.and(Cards::one(*place));
            self.drawn += 1;
        }
    }

    /// Returns true if the attacker surely wins by leading one card after the other, where no card
    /// is left to draw and nothing may be transferred.
    pub fn attack_is_won(&self) -> bool {
        let (own, other) = (self.hand(), self.hand_at(self.defender));
        if other.len() <= own.len().min(4) {
            return false;
        }
        let mut safe = own.trumps().without(own.below_tops_of(other));
        if other.trumps().is_empty() {
            safe = safe.and(own.plain().without(own.below_tops_of(other)));
        }
        let rest = own.without(safe).without(own.plain().of_ranks(safe));
        rest.ranks().count_ones() <= 1
    }

    /// The next seat clockwise that is still in.
    pub fn next_in(&self, seat: u8, world: &GameSetup) -> u8 {
        let seats = world.options.seats() as u8;
        let mut next = seat;
        loop {
            next = if next + 1 >= seats { 0 } else { next + 1 };
            if self.is_in(next) || next == seat {
                return next;
            }
        }
    }

    fn limit_against(&self, defender: u8) -> u8 {
        self.most.min(self.hand_at(defender).len() as u8)
    }
}
