//! Changes of the inputs of a game that a seat may not notice: other draws, other moves of other seats.

use rules::own::answer::{Forced, Next};
use rules::{Nature, Seat};

use super::run::{Run, below};

/// The last items among which every second one is chosen: what was drawn long ago is often known.
const RECENT: usize = 60;

/// A way to change inputs.
#[derive(Clone, Copy)]
enum Change {
    /// Two items or outcomes change places.
    Swap,
    /// An item or outcome is another one that could be drawn there.
    Replace,
    /// Another seat plays another move.
    Move,
}

/// The place of an item: the number of the input, and of the word in it.
type Place = (usize, usize);

/// The inputs of a game with one more change before its state `before`, if there is one that can be made.
pub(super) fn changed(
    run: &Run,
    before: usize,
    seat: Seat,
    nature: &mut Nature,
) -> Option<Vec<String>> {
    let ways = [Change::Swap, Change::Replace, Change::Move];
    let first = below(nature, ways.len() as u32) as usize;
    (0..ways.len()).find_map(|turn| match ways[(first + turn) % ways.len()] {
        Change::Swap => swapped(run, before, nature),
        Change::Replace => replaced(run, before, nature),
        Change::Move => other_move(run, before, seat, nature),
    })
}

fn swapped(run: &Run, before: usize, nature: &mut Nature) -> Option<Vec<String>> {
    let places = places(run, before);
    let (one, word) = recent(&places, nature)?;
    let others: Vec<Place> =
        places.iter().filter(|(_, other)| other != word).map(|(place, _)| *place).collect();
    let other = nature.choose(&others)?;
    let (_, other_word) = places.iter().find(|(place, _)| place == other)?;
    let mut inputs = run.inputs.clone();
    set(&mut inputs, *one, other_word);
    set(&mut inputs, *other, word);
    Some(inputs)
}

fn replaced(run: &Run, before: usize, nature: &mut Nature) -> Option<Vec<String>> {
    let places = places(run, before);
    let (place, word) = recent(&places, nature)?;
    let Next::Nature(pool) = &run.moments.get(place.0)?.state.next else { return None };
    let items: Vec<&str> = pool.items().map(|(item, _)| item).filter(|it| it != word).collect();
    let item = nature.choose(&items)?;
    let mut inputs = run.inputs.clone();
    set(&mut inputs, *place, item);
    Some(inputs)
}

fn other_move(run: &Run, before: usize, seat: Seat, nature: &mut Nature) -> Option<Vec<String>> {
    let turns: Vec<usize> = (0..before.min(run.inputs.len()))
        .filter(|at| {
            run.moments[*at].turn().is_some_and(|turn| {
                turn.seat != seat && turn.moves.len() > 1 && turn.forced == Forced::No
            })
        })
        .collect();
    let at = *nature.choose(&turns)?;
    let turn = run.moments[at].turn()?;
    let played = run.inputs[at].strip_prefix("play ")?;
    let others: Vec<&String> = turn.moves.iter().filter(|mv| *mv != played).collect();
    let mv = nature.choose(&others)?;
    let mut inputs = run.inputs.clone();
    inputs[at] = format!("play {mv}");
    Some(inputs)
}

/// The items that nature has drawn before a state, with their places.
fn places(run: &Run, before: usize) -> Vec<(Place, &str)> {
    let drawn = run.inputs.iter().take(before).enumerate().filter_map(|(number, input)| {
        let outcome = input.strip_prefix("happen ")?;
        Some(outcome.split(' ').enumerate().map(move |(word, item)| ((number, word), item)))
    });
    drawn.flatten().collect()
}

fn recent<'a, 'b>(
    places: &'a [(Place, &'b str)],
    nature: &mut Nature,
) -> Option<&'a (Place, &'b str)> {
    let from = match below(nature, 2) {
        0 => places.len().saturating_sub(RECENT),
        _ => 0,
    };
    nature.choose(&places[from..])
}

/// Puts a word into the place of another one.
fn set(inputs: &mut [String], (number, word): Place, item: &str) {
    let Some(outcome) = inputs[number].strip_prefix("happen ") else { return };
    let words = outcome.split(' ').enumerate().map(|(at, old)| if at == word { item } else { old });
    inputs[number] = format!("happen {}", words.collect::<Vec<_>>().join(" "));
}
