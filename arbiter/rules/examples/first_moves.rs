//! Plays a game of Tablić in which every seat makes its first legal move, and prints what happened:
//! `cargo run -p rules --example first_moves`.

use std::error::Error;

use rules::tablic::Tablic;
use rules::{Answer, GameKind, GameTerms, PerSeat, Referee, Seed, Step};

fn main() -> Result<(), Box<dyn Error>> {
    let seed = Seed([7; 32]);
    let mut nature = seed.nature(0);
    let terms = GameTerms::even(seed.name(0), 2, 1000, seed.bots(0));
    let mut referee = Referee::new(&GameKind::of::<Tablic>(), "seats=2", terms)?;
    let outcome = loop {
        match referee.step() {
            Step::Nature(draw) => draw.draw(&mut nature),
            Step::Ask(question) => {
                let (moves, _) = question.legal_moves();
                let first = moves.into_iter().next().unwrap_or_default();
                question.answer(Answer::Output(first.into_bytes()));
            }
            Step::Moved => {}
            Step::Over(outcome) => break outcome.clone(),
        }
    };
    let names: PerSeat<String> = vec!["ana".to_owned(), "ben".to_owned()].into();
    print!("{}", referee.narrate(0, &names));
    println!("{outcome:?}");
    Ok(())
}
