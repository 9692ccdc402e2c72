//! What a seat can infer at a court, against all joint hands followed one by one.

use std::collections::BTreeMap;

use rules::coup::{
    Character, Counts, Coup, Event, Move, Options, SeenHand, chance_to_hold, draw_hands,
};
use rules::{BotSeed, Game, Resample, Seat, Turn, seen_by};

use crate::coup::scene::seat;

const SEATS: usize = 3;

/// The hands of all seats, with the chance of each.
type Joint = BTreeMap<[[u32; 5]; SEATS], f64>;

/// A slow observer, which lists all joint hands.
struct Listed {
    own: Seat,
    lost: [u32; 5],
    joint: Joint,
    claim: Option<(Seat, usize)>,
    shown: Option<usize>,
}

impl Listed {
    fn new(own: Seat) -> Listed {
        let joint = BTreeMap::from([([[0; 5]; SEATS], 1.0)]);
        Listed { own, lost: [0; 5], joint, claim: None, shown: None }
    }

    fn change(
        &mut self,
        change: impl Fn(&[[u32; 5]; SEATS], [u32; 5]) -> Vec<([[u32; 5]; SEATS], f64)>,
    ) {
        let mut after = Joint::new();
        for (hands, chance) in &self.joint {
            let mut deck = [3; 5];
            for (card, count) in deck.iter_mut().enumerate() {
                *count -= self.lost[card] + hands.iter().map(|hand| hand[card]).sum::<u32>();
            }
            for (hands, of) in change(hands, deck) {
                *after.entry(hands).or_default() += chance * of;
            }
        }
        after.retain(|_, chance| *chance > 0.0);
        let total: f64 = after.values().sum();
        after.values_mut().for_each(|chance| *chance /= total);
        self.joint = after;
    }

    fn draw(&mut self, to: Seat, seen: Option<Character>) {
        let to = to.index();
        self.change(|hands, deck| {
            let all: u32 = deck.iter().sum();
            let cards = (0..5).filter(|card| seen.is_none_or(|seen| seen as usize == *card));
            let drawn = cards.filter(|card| deck[*card] > 0).map(|card| {
                let mut hands = *hands;
                hands[to][card] += 1;
                (hands, f64::from(deck[card]) / f64::from(all))
            });
            drawn.collect()
        });
    }

    fn take(&mut self, from: Seat, wanted: Option<usize>) {
        let from = from.index();
        self.change(|hands, _| {
            let all: u32 = hands[from].iter().sum();
            let cards = (0..5).filter(|card| wanted.is_none_or(|wanted| wanted == *card));
            let taken = cards.filter(|card| hands[from][*card] > 0).map(|card| {
                let mut after = *hands;
                after[from][card] -= 1;
                (after, f64::from(hands[from][card]) / f64::from(all))
            });
            taken.collect()
        });
    }

    fn keep_where(&mut self, holds: impl Fn(&[[u32; 5]; SEATS]) -> bool) {
        self.change(|hands, _| if holds(hands) { vec![(*hands, 1.0)] } else { Vec::new() });
    }

    fn learn(&mut self, event: &Event) {
        match *event {
            Event::Deal { to, cards } | Event::Draw { to, cards } => {
                if let (1, Some(shown)) = (cards.len(), self.shown.take()) {
                    self.change(|hands, _| {
                        let mut hands = *hands;
                        hands[to.index()][shown] -= 1;
                        vec![(hands, 1.0)]
                    });
                }
                match cards {
                    SeenHand::Seen(cards) => {
                        cards.into_iter().for_each(|card| self.draw(to, Some(card)))
                    }
                    SeenHand::Unseen(count) => (0..count).for_each(|_| self.draw(to, None)),
                }
            }
            Event::KeepUnseen { seat, count } => {
                let held = |hands: &[[u32; 5]; SEATS]| hands[seat.index()].iter().sum::<u32>();
                while self.joint.keys().any(|hands| held(hands) > u32::from(count)) {
                    self.take(seat, None);
                }
            }
            Event::Move { seat, mv } => self.decided(seat, mv),
            Event::Lost { .. } | Event::Winner(_) => {}
        }
    }

    fn decided(&mut self, seat: Seat, mv: Move) {
        match mv {
            Move::Act(action) => self.claim = action.claim().map(|card| (seat, card as usize)),
            Move::Block(card) => self.claim = Some((seat, card as usize)),
            Move::Show(card) => {
                self.claim = None;
                self.shown = Some(card as usize);
                self.keep_where(|hands| hands[seat.index()][card as usize] > 0);
            }
            Move::Lose(card) => {
                // A claimant gives up a card without showing one only where its claim was false.
                if let Some((claimant, claim)) =
                    self.claim.take_if(|(claimant, _)| *claimant == seat)
                {
                    self.keep_where(|hands| hands[claimant.index()][claim] == 0);
                }
                self.take(seat, Some(card as usize));
                self.lost[card as usize] += 1;
            }
            Move::Keep(cards) => {
                let mut kept = [0; 5];
                cards.into_iter().for_each(|card| kept[card as usize] += 1);
                self.change(|hands, _| {
                    let mut hands = *hands;
                    hands[seat.index()] = kept;
                    vec![(hands, 1.0)]
                });
            }
            Move::Pass | Move::Challenge | Move::End => {}
        }
    }

    fn chance(&self, other: Seat, card: Character) -> f64 {
        let holding =
            self.joint.iter().filter(|(hands, _)| hands[other.index()][card as usize] > 0);
        holding.map(|(_, chance)| chance).sum()
    }
}

#[test]
fn what_a_seat_can_infer_at_a_court_is_exact() {
    let options: Options = "seats=3".parse().unwrap();
    let (mut compared, mut uncertain) = (0, 0);
    for seed in 0..60_u64 {
        let mut nature = BotSeed(seed.to_be_bytes()).nature();
        let (mut game, mut events) = (Coup::new(&options), Vec::new());
        let mut listed: Vec<Listed> = (0..SEATS).map(|own| Listed::new(seat(own))).collect();
        while !matches!(game.turn(), Turn::Over(_)) {
            let before = events.len();
            if let Some(chance) = game.sample(&mut nature) {
                game.happen(&chance, &mut events).unwrap();
            } else {
                let mut moves = Vec::new();
                let _ = game.legal_moves(&mut moves);
                let mv = *nature.choose(&moves).unwrap();
                game.play(&mv, &mut events).unwrap();
            }
            for listed in &mut listed {
                let own = listed.own;
                let new = events[before..].iter().filter_map(|event| seen_by(event, own));
                new.for_each(|event| listed.learn(&event));
            }
            if events.len() < SEATS {
                continue;
            }
            let asked = &listed[(seed % 3) as usize];
            let shown: Vec<Event> =
                events.iter().filter_map(|event| seen_by(event, asked.own)).collect();
            for other in Seat::first(SEATS) {
                for card in Character::ALL {
                    let chance = chance_to_hold(asked.own, SEATS, &shown, other, card).unwrap();
                    let expected = asked.chance(other, card);
                    assert!(
                        (chance - expected).abs() < 1e-9,
                        "seed {seed}: {shown:?} {other} {card}"
                    );
                    compared += 1;
                    uncertain += usize::from(expected > 0.0 && expected < 1.0);
                }
            }
        }
    }
    assert!(compared > 10_000 && uncertain > 5_000, "{compared} chances, {uncertain} uncertain");
}

/// Hands are drawn as often as they are likely: seat 1 has shown a duke and drawn a card for it.
#[test]
fn worlds_of_a_court_are_drawn_as_likely_as_they_are() {
    let options: Options = "seats=3".parse().unwrap();
    let lines = "deal 0 contessa captain; deal 1 ?? ??; deal 2 ?? ??; 0 income; 1 tax; 2 challenge; \
                 1 show duke; draw 1 ??; 2 lose duke";
    let events: Vec<Event> = lines.split("; ").map(|line| line.parse().unwrap()).collect();
    let mut game = Coup::new(&options);
    let mut told = Vec::new();
    for text in ["deal 0 contessa captain", "deal 1 duke captain", "deal 2 duke assassin"] {
        game.happen(&text.parse().unwrap(), &mut told).unwrap();
    }
    for text in ["income", "tax", "challenge", "show duke"] {
        game.play(&text.parse().unwrap(), &mut told).unwrap();
    }
    game.happen(&"draw 1 contessa".parse().unwrap(), &mut told).unwrap();
    game.play(&"lose duke".parse().unwrap(), &mut told).unwrap();
    let view = game.view(seat(0));
    let mut nature = BotSeed([3; 8]).nature();
    let draws = 20_000;
    let mut held = 0;
    for _ in 0..draws {
        let world = Coup::resample(&options, seat(0), &view, &events, &mut nature).unwrap();
        assert_eq!(world.view(seat(0)), view);
        assert!(world.deck().len() == 15 - 6 && world.deck() != Counts::NONE);
        held += u32::from(world.hand(seat(1)).contains(Character::Duke));
    }
    let chance = chance_to_hold(seat(0), 3, &events, seat(1), Character::Duke).unwrap();
    let share = f64::from(held) / draws as f64;
    assert!((share - chance).abs() < 0.02, "{share} instead of {chance}");
    // Many hands at once are drawn by the same inference.
    let hands = draw_hands(seat(0), 3, &events, draws, &mut nature);
    let held = hands.iter().filter(|hands| hands[seat(1)].contains(Character::Duke)).count();
    let share = held as f64 / draws as f64;
    assert!(hands.len() == draws && (share - chance).abs() < 0.02, "{share} instead of {chance}");
    assert!(draw_hands(seat(0), 2, &events, 5, &mut nature).is_empty(), "a game of three");
}

/// Six seats exchange again and again, which makes too many worlds to follow all; every seat still finds one.
#[test]
fn a_world_is_found_after_any_number_of_exchanges() {
    let options: Options = "seats=6".parse().unwrap();
    let mut found = 0;
    for seed in 0..4_u64 {
        let mut nature = BotSeed(seed.to_be_bytes()).nature();
        let (mut game, mut events) = (Coup::new(&options), Vec::new());
        while !matches!(game.turn(), Turn::Over(_)) {
            if let Some(chance) = game.sample(&mut nature) {
                game.happen(&chance, &mut events).unwrap();
                continue;
            }
            let mut moves = Vec::new();
            let _ = game.legal_moves(&mut moves);
            let calm = |mv: &&Move| ["exchange", "pass"].contains(&mv.to_string().as_str());
            let any = *nature.choose(&moves).unwrap();
            let doubts = nature.choose(&[true, false, false, false, false, false, false, false]);
            let mv = match doubts {
                Some(true) => any,
                _ => moves.iter().find(calm).copied().unwrap_or(any),
            };
            game.play(&mv, &mut events).unwrap();
            if game.decisions() % 20 != 0 {
                continue;
            }
            let own = seat((seed % 6) as usize);
            let shown: Vec<Event> = events.iter().filter_map(|event| seen_by(event, own)).collect();
            let view = game.view(own);
            let world = Coup::resample(&options, own, &view, &shown, &mut nature).unwrap();
            assert_eq!(world.view(own), view, "seed {seed}");
            found += 1;
        }
    }
    assert!(found > 20, "{found} worlds");
}
