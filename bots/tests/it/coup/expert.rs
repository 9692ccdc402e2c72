//! The small engine of the expert's table against the rules: the same games, side by side.

use std::collections::BTreeSet;

use bots::coup::expert::cards::{CARDS, Card, PAIR_CARDS, exchanges};
use bots::coup::expert::packed::UnpackedTable;
use bots::coup::expert::position::{GameEnd, Position};
use bots::coup::expert::read::{ActorSituation, chosen};
use bots::coup::expert::situation::{Choice, Situation, Stage};
use bots::coup::expert::style_tracker;
use rules::coup::{Action, Character, Coup, Event, Hand, Move, Options, SeenHand};
use rules::{BotSeed, Game, Nature, Score, Seat, Seed, Turn, seen_by};

/// A game by the rules, with the engine beside it.
struct Both {
    game: Coup,
    events: Vec<Event>,
    position: Position,
    nature: Nature,
}

fn seat(index: usize) -> Seat {
    Seat::new(index).expect("a seat")
}

impl Both {
    fn new(deal: u64) -> Both {
        let mut both = Both {
            game: Coup::new(&Options::default()),
            events: Vec::new(),
            position: Position::new([[0, 0], [0, 0]]),
            nature: Seed([9; 32]).nature(deal),
        };
        both.settle();
        let hands = [0, 1].map(|index| {
            let hand = both.game.hand(seat(index));
            [hand.cards()[0] as Card, hand.cards()[1] as Card]
        });
        both.position = Position::new(hands);
        both
    }

    /// Plays on to the next question, and gives the cards that came.
    fn settle(&mut self) -> Vec<Card> {
        let before = self.events.len();
        loop {
            if let Some(chance) = self.game.sample(&mut self.nature) {
                self.game.happen(&chance, &mut self.events).expect("a draw");
            } else if let Some(forced) = self.game.forced() {
                self.game.play(&forced, &mut self.events).expect("legal");
            } else {
                break;
            }
        }
        let drawn = self.events[before..].iter().filter_map(|event| match event {
            Event::Draw { cards: SeenHand::Seen(cards), .. } => Some(*cards),
            _ => None,
        });
        drawn.flatten().map(|card| card as Card).collect()
    }

    /// Plays a choice in the engine, and then those of one option.
    fn play_here(&mut self, choice: Choice, drawn: &[Card]) {
        let mut cards = drawn.iter().copied();
        // Once the game is over the rules draw no more.
        let mut draw = |_: [u8; CARDS]| cards.next().unwrap_or_default();
        self.position.play(choice, &mut draw);
        while self.position.end.is_none() && self.position.options() == 1 {
            let only = self.position.situation.choices()[0];
            self.position.play(only, &mut draw);
        }
        assert_eq!(cards.next(), None, "all that was drawn has come");
    }

    /// Plays a choice in both; it is a choice of more than one.
    fn play(&mut self, choice: Choice) {
        let mv = self.moves(choice).into_iter().next().expect("a move");
        if choice == Choice::Pass && self.position.situation.stage == Stage::AnswerAssassinate {
            // The rules ask for the card.
            if self.position.situation.lost[1] == 0 {
                let Move::Lose(card) = mv else { unreachable!("a card") };
                let [low, _] = PAIR_CARDS[self.position.hand()];
                self.position.play(choice, &mut |_: [u8; CARDS]| unreachable!("no draw"));
                let same = if low == card as Card { Choice::LoseLow } else { Choice::LoseHigh };
                return self.play_both(same, mv);
            }
        }
        self.play_both(choice, mv);
    }

    fn play_both(&mut self, choice: Choice, mv: Move) {
        self.game.play(&mv, &mut self.events).expect("legal");
        let drawn = self.settle();
        self.play_here(choice, &drawn);
    }

    /// The moves of the rules that are one choice of the engine.
    fn moves(&self, choice: Choice) -> Vec<Move> {
        let card = |place: Card| Character::ALL[usize::from(place)];
        let hand = self.position.hand();
        let target = seat(1 - self.position.seat());
        let cards = self.position.situation.cards(self.position.decides());
        vec![match choice {
            Choice::Income => Move::Act(Action::Income),
            Choice::ForeignAid => Move::Act(Action::ForeignAid),
            Choice::Coup => Move::Act(Action::Coup(target)),
            Choice::Tax => Move::Act(Action::Tax),
            Choice::Assassinate => Move::Act(Action::Assassinate(target)),
            Choice::Steal => Move::Act(Action::Steal(target)),
            Choice::Exchange => Move::Act(Action::Exchange),
            Choice::Pass if self.position.situation.stage == Stage::AnswerAssassinate => {
                let held: BTreeSet<Card> = match cards {
                    1 => BTreeSet::from([hand as Card]),
                    _ => BTreeSet::from(PAIR_CARDS[hand]),
                };
                return held.into_iter().map(|held| Move::Lose(card(held))).collect();
            }
            Choice::Pass => Move::Pass,
            Choice::Challenge => Move::Challenge,
            Choice::Block(place) => Move::Block(card(place)),
            Choice::LoseLow => Move::Lose(card(PAIR_CARDS[hand][0])),
            Choice::LoseHigh => Move::Lose(card(PAIR_CARDS[hand][1])),
            Choice::Keep(place) => {
                let kept = usize::from(exchanges(cards).keeps[hand][usize::from(place)]);
                let orders = match cards {
                    1 => vec![vec![card(kept as Card)]],
                    _ => {
                        let [low, high] = PAIR_CARDS[kept].map(card);
                        vec![vec![low, high], vec![high, low]]
                    }
                };
                let kept = orders.into_iter().filter_map(|cards| Hand::new(&cards));
                return kept.map(Move::Keep).collect();
            }
        }]
    }

    fn winner(&self) -> Option<Seat> {
        let Turn::Over(scores) = self.game.turn() else { unreachable!("the game is over") };
        let winner = scores.iter().find(|(_, score)| **score != Score::ZERO);
        winner.map(|(seat, _)| seat)
    }

    /// Compares what both say before a decision.
    fn compare(&self) {
        let Both { game, position, .. } = self;
        let Turn::Seat(asked) = game.turn() else { unreachable!("a decision at\n{position:?}") };
        assert_eq!(asked.index(), position.seat(), "{position:?}");
        assert_eq!(game.decisions(), position.decisions, "{position:?}");
        assert_eq!(game.owed().first().map(|debt| debt.seat().index()), Some(position.actor));
        let choices = &position.situation.choices()[..position.options()];
        let mine: BTreeSet<Move> = choices.iter().flat_map(|choice| self.moves(*choice)).collect();
        let mut legal = Vec::new();
        let _ = game.legal_moves(&mut legal);
        assert_eq!(mine, legal.into_iter().collect(), "{position:?}");
        let loses = matches!(choices, [Choice::LoseLow | Choice::LoseHigh, ..]);
        for (side, index) in [position.actor, 1 - position.actor].into_iter().enumerate() {
            let (situation, seat) = (&position.situation, seat(index));
            if !loses {
                // Before a card is lost, coins of the engine have moved already.
                assert_eq!(u32::from(situation.coins[side]), game.coins(seat), "{position:?}");
            }
            let lost = game.lost(seat).cards().first().map_or(0, |card| *card as u8 + 1);
            assert_eq!(situation.lost[side], lost, "{position:?}");
        }
        let reading = self.reading(asked);
        assert_eq!(reading.situation, position.situation, "{:?}", self.events);
        assert_eq!(reading.actor.index(), position.actor);
        assert_eq!(reading.hand(game.hand(asked)), Some(position.hand()));
    }

    /// A seat's reading of the events that it saw.
    fn reading(&self, seat: Seat) -> ActorSituation {
        let seen: Vec<Event> =
            self.events.iter().filter_map(|event| seen_by(event, seat)).collect();
        ActorSituation::from_events(&seen).expect("a game that goes on")
    }
}

/// Plays a game at random, or so that it takes long, and says how many decisions it had.
fn play(deal: u64, slow: bool) -> u32 {
    let mut both = Both::new(deal);
    let mut nature = BotSeed(deal.to_le_bytes()).nature();
    while both.position.end.is_none() {
        both.compare();
        let choices = &both.position.situation.choices()[..both.position.options()];
        let dull = [Choice::Steal, Choice::Exchange, Choice::Pass].into_iter();
        let dull = dull.filter(|_| slow && nature.choose(&[0; 1]).is_some());
        let dull = dull.into_iter().find(|choice| choices.contains(choice));
        let any = *nature.choose(choices).expect("a choice");
        let bored = nature.choose(&[true, false, false, false, false, false, false, false]);
        both.play(if bored == Some(&true) { any } else { dull.unwrap_or(any) });
    }
    // The engine does not play on once the winner is certain.
    while !matches!(both.game.turn(), Turn::Over(_)) {
        let mut legal = Vec::new();
        let _ = both.game.legal_moves(&mut legal);
        let coup = legal.iter().find(|mv| matches!(mv, Move::Act(Action::Coup(_))));
        let mv = *coup.or(legal.first()).expect("a move");
        both.game.play(&mv, &mut both.events).expect("legal");
        both.settle();
    }
    let winner = both.winner();
    match both.position.end {
        Some(GameEnd::Won(index)) => assert_eq!(winner, Some(seat(index)), "deal {deal}"),
        _ => assert_eq!(winner, None, "deal {deal}"),
    }
    both.game.decisions()
}

#[test]
fn the_engine_plays_games_as_the_rules_do() {
    for deal in 0..3000 {
        play(deal, false);
    }
}

#[test]
fn the_engine_ends_long_games_as_the_rules_do() {
    let longest = (0..600).filter(|deal| play(*deal, true) == 200).count();
    assert!(longest > 20, "{longest} games had all decisions");
}

#[test]
fn every_situation_has_a_key_of_its_own() {
    for deal in 0..300 {
        let mut both = Both::new(deal);
        let mut nature = BotSeed(deal.to_le_bytes()).nature();
        while both.position.end.is_none() {
            let situation = both.position.situation;
            assert_eq!(Situation::of_key(situation.key()), Some(situation));
            let choices = &both.position.situation.choices()[..both.position.options()];
            both.play(*nature.choose(choices).expect("a choice"));
        }
    }
    assert_eq!(chosen(Action::Tax), Choice::Tax);
}

#[test]
fn an_unpacked_table_says_the_same() {
    let packed = style_tracker::learned_table().expect("a table");
    let mut unpacked = UnpackedTable::new(packed);
    for deal in 0..200 {
        let mut both = Both::new(deal);
        let mut nature = BotSeed(deal.to_le_bytes()).nature();
        while both.position.end.is_none() {
            let situation = both.position.situation;
            for (hand, chances) in packed.all_chances(&situation).into_iter().enumerate() {
                assert_eq!(unpacked.chances(&situation, hand), chances);
            }
            let choices = &situation.choices()[..both.position.options()];
            both.play(*nature.choose(choices).expect("a choice"));
        }
    }
}
