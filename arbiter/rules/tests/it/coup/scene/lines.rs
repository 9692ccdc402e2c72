//! FILE of the classic dialect read the slow way, letter by letter, for comparison.

use rules::coup::{Action, Character, Counts, Coup, Event, Hand, Move, Obligation, Options};
use rules::{Game, Seat, Turn};

use super::{Scene, nature, seat};

const LOST: &str = "_'<=0";
const SHOWN: &str = "~^*!$";
const BLOCKS: &str = "a.csd";

pub(crate) fn character(letters: &str, letter: char) -> Option<Character> {
    letters.find(letter).map(|place| Character::ALL[place])
}

/// A hand written as cards are given up.
pub(crate) fn hand(text: &str) -> Hand {
    let cards: Vec<Character> = text.chars().map(|c| character(LOST, c).unwrap()).collect();
    Hand::new(&cards).unwrap()
}

/// Cards as they are given up.
pub(crate) fn written(cards: impl IntoIterator<Item = Character>) -> String {
    cards.into_iter().map(|card| char::from(LOST.as_bytes()[card as usize])).collect()
}

/// The seat whose turn it is at the end of a file.
pub(crate) fn actor(file: &str) -> Seat {
    seat(file.matches('\n').count() % 2)
}

pub(crate) fn last_line(file: &str) -> &str {
    file.rsplit('\n').next().unwrap()
}

/// A line with every surrendered card as an X.
pub(crate) fn shape(line: &str) -> String {
    line.chars().map(|letter| if LOST.contains(letter) { 'X' } else { letter }).collect()
}

/// The events that a file tells of.
pub(crate) fn events(file: &str) -> Vec<Event> {
    let mut events = Vec::new();
    for (number, line) in file.split_inclusive('\n').enumerate() {
        let (actor, other) = (seat(number % 2), seat(1 - number % 2));
        let mut previous = ' ';
        for letter in line.chars() {
            let (mover, mv) = match letter {
                'I' => (actor, Move::Act(Action::Income)),
                'F' => (actor, Move::Act(Action::ForeignAid)),
                'C' => (actor, Move::Act(Action::Coup(other))),
                'E' => (actor, Move::Act(Action::Exchange)),
                'T' => (actor, Move::Act(Action::Tax)),
                'A' => (actor, Move::Act(Action::Assassinate(other))),
                'S' => (actor, Move::Act(Action::Steal(other))),
                'p' => (other, Move::Pass),
                // An action that claims nothing cannot be challenged, so this is about the block.
                'q' if BLOCKS.contains(previous) => (actor, Move::Challenge),
                'q' => (other, Move::Challenge),
                '\n' if BLOCKS.contains(previous) => (actor, Move::Pass),
                '\n' if previous == 'I' => break,
                '\n' => (actor, Move::End),
                _ => match (character(BLOCKS, letter), character(SHOWN, letter)) {
                    (Some(block), _) => (other, Move::Block(block)),
                    (_, Some(shown)) => (prover(line, actor, other), Move::Show(shown)),
                    _ => (loser(line, actor, other), Move::Lose(character(LOST, letter).unwrap())),
                },
            };
            // The seat whose turn it is ends its line by giving up a card.
            let ends = matches!(events.last(), Some(Event::Move { seat, mv: Move::Lose(_) }) if *seat == actor);
            if !(mv == Move::End && ends && LOST.contains(previous)) {
                events.push(Event::Move { seat: mover, mv });
            }
            previous = letter;
        }
    }
    events
}

fn prover(line: &str, actor: Seat, other: Seat) -> Seat {
    if line.as_bytes()[1] == b'q' { actor } else { other }
}

fn loser(line: &str, actor: Seat, other: Seat) -> Seat {
    let shown = line.contains(|letter| SHOWN.contains(letter));
    let challenged_action = line.as_bytes()[1] == b'q';
    match (line.contains('q'), challenged_action, shown) {
        (false, ..) | (true, true, true) | (true, false, false) => other,
        (true, true, false) | (true, false, true) => actor,
    }
}

/// A game that came to this line by turns of this seat, with any hands. The draw for a
/// shown card at its end is made, the draw for an exchange is not.
pub(crate) fn reached(line: &str, actor: Seat) -> Scene {
    let pairs = |one| Character::ALL.map(move |other| Hand::new(&[one, other]).unwrap());
    let hands: Vec<Hand> = Character::ALL.into_iter().flat_map(pairs).collect();
    let deals = hands.iter().flat_map(|first| hands.iter().map(move |second| [*first, *second]));
    let possible = deals.filter(|[first, second]| {
        let four = first.cards() == second.cards() && first.cards()[0] == first.cards()[1];
        !four
    });
    let mut reached =
        possible.filter_map(|hands| follow(line, Scene::turn_of(actor, hands, [9, 9])));
    reached.next().unwrap_or_else(|| panic!("no hands lead to {line:?}"))
}

/// Goes on by this line, if the hands allow it.
fn follow(line: &str, mut scene: Scene) -> Option<Scene> {
    let mut nature = nature();
    for event in events(line) {
        scene.draw(&mut nature);
        let Event::Move { mv, .. } = event else { return None };
        let mv = aimed(mv, &scene.game)?;
        scene.game.play(&mv, &mut scene.events).ok()?;
    }
    if let Some(Obligation::Replace(..)) = scene.game.current_debt() {
        scene.draw(&mut nature);
    }
    Some(scene)
}

/// The move of the seat that is due, aimed at the other one.
fn aimed(mv: Move, game: &Coup) -> Option<Move> {
    let Turn::Seat(mover) = game.turn() else { return None };
    let other = seat(1 - mover.index());
    Some(match mv {
        Move::Act(Action::Coup(_)) => Move::Act(Action::Coup(other)),
        Move::Act(Action::Assassinate(_)) => Move::Act(Action::Assassinate(other)),
        Move::Act(Action::Steal(_)) => Move::Act(Action::Steal(other)),
        mv => mv,
    })
}

/// The scene that a file leaves, with these hands, lost cards and coins by seat.
pub(crate) fn at(file: &str, hands: [Hand; 2], lost: [Hand; 2], coins: [u32; 2]) -> Scene {
    let actor = actor(file);
    let mut view = reached(last_line(file), actor).game.view(actor);
    view.hand = hands[actor.index()];
    view.hands = hands.map(|hand| hand.len() as u32).to_vec().into();
    view.coins = coins.to_vec().into();
    view.lost = lost.to_vec().into();
    let game = Coup::imagine(&Options::default(), &view, &hands.to_vec().into()).unwrap();
    Scene { game, events: events(file) }
}

/// The cards that are neither in these hands nor in the deck, by the seat that must have lost
/// them; `None` if the cards are not those of a pack.
pub(crate) fn lost(hands: [Hand; 2], deck: &str) -> Option<[Hand; 2]> {
    let held = hands.into_iter().flatten();
    let rest = Counts::PACK.without_all(held.chain(cards_of(deck)))?;
    let rest: Vec<Character> = rest.cards().collect();
    let (first, second) = rest.split_at_checked(2usize.checked_sub(hands[0].len())?)?;
    Some([Hand::new(first)?, Hand::new(second)?])
}

pub(crate) fn cards_of(deck: &str) -> impl Iterator<Item = Character> + '_ {
    deck.chars().map(|c| character(LOST, c).unwrap())
}
