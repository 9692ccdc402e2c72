//! A program of the classic dialect cannot tell apart two worlds of Coup that differ only in what
//! is hidden from its seat.

use rules::coup::{Coup, Move, Options};
use rules::{BotSeed, Game, Nature, Turn};

use crate::coup::scene::{Scene, seat};

/// Two games in which one seat has seen the same, each with all of its own events.
struct Worlds {
    observer: usize,
    scenes: [Scene; 2],
    nature: Nature,
}

impl Worlds {
    fn new(seed: u64) -> Worlds {
        let scene = || Scene { game: Coup::new(&Options::default()), events: Vec::new() };
        let nature = BotSeed(seed.to_be_bytes()).nature();
        Worlds { observer: (seed % 2) as usize, scenes: [scene(), scene()], nature }
    }

    /// Goes on in both by the same step as far as the seat can see, if there is one.
    fn step(&mut self) -> Option<()> {
        let [first, second] = &mut self.scenes;
        let own =
            first.game.current_debt().is_some_and(|debt| debt.seat().index() == self.observer);
        match first.game.turn() {
            Turn::Over(_) => return None,
            Turn::Nature => {
                let chance = first.game.sample(&mut self.nature)?;
                let other = if own { chance } else { second.game.sample(&mut self.nature)? };
                first.game.happen(&chance, &mut first.events).unwrap();
                // A draw of this seat may be hidden from it in the other world.
                second.game.happen(&other, &mut second.events).ok()?;
            }
            Turn::Seat(_) => {
                let mv = *self.nature.choose(&first.legal_moves())?;
                let other = match mv {
                    Move::Keep(_) if !own => *self.nature.choose(&second.legal_moves())?,
                    _ => mv,
                };
                first.play(mv);
                second.game.play(&other, &mut second.events).ok()?;
            }
        }
        let [one, other] = &self.scenes;
        (one.visible_to(self.observer) == other.visible_to(self.observer)).then_some(())
    }
}

#[test]
fn a_call_is_the_same_in_all_worlds_that_its_seat_cannot_tell_apart() {
    let (mut calls, mut exchanges) = (0, 0);
    for seed in 0..3000 {
        let mut worlds = Worlds::new(seed);
        while worlds.step().is_some() {
            let [first, second] = &worlds.scenes;
            let hidden = seat(1 - worlds.observer);
            assert_eq!(first.game.turn(), second.game.turn(), "seed {seed}");
            let asked = first.game.turn() == Turn::Seat(seat(worlds.observer));
            if !asked || first.game.hand(hidden) == second.game.hand(hidden) {
                continue;
            }
            let (call, other) = (first.call(), second.call());
            assert_eq!(call.file, other.file, "seed {seed}");
            assert_eq!(call.arguments, other.arguments, "seed {seed}");
            calls += 1;
            exchanges += usize::from(matches!(first.legal_moves()[..], [Move::Keep(_), ..]));
        }
    }
    assert!(calls > 10_000 && exchanges > 500, "{calls} calls, {exchanges} exchanges");
}
