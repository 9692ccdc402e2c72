//! Computes exactly how much a best response wins against a table of Coup in an end game, and for
//! comparison a learned response and a climbed player: `coup-best-response --lost duke,captain
//! --coins 3,3`.

use std::path::PathBuf;
use std::process::ExitCode;

use bots::coup::expert::cards::Card;
use bots::coup::expert::packed::PackedTable;
use bots::coup::expert::style_tracker;
use clap::Parser;
use research::coup::best_response::{
    Bounds, Course, Limits, Responding, Response, Search, by_learning, by_table,
};
use research::coup::chances::Chances;
use research::coup::climb::{Climb, Trial};
use research::coup::contest::number;
use research::coup::deck::{Decks, Start};
use research::coup::pack::Unpacked;
use research::coup::responder::Responder;
use research::coup::store::Table;
use research::coup::train::Settings;
use research::program::{self, COUP_SEED, SeedArgs, positive};
use rules::Seed;
use rules::coup::Character;
use simulation::StuckGame;

/// Compute exactly what can be won against known chances in end games of Coup
///
/// In an end game each seat has lost a card and is dealt another one. What a response wins is the mean over
/// both sides, between two bounds, in per cent. The best response remembers everything; the learned one and
/// the climbed player see the same end game, and what they win is computed, not played.
#[derive(Debug, Parser)]
#[command(name = "coup-best-response", max_term_width = 100)]
#[command(mut_arg("seed", |seed| seed.default_value(COUP_SEED)))]
struct Arguments {
    /// A packed table [default: the table of `expert --safe`]
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// The 26 chances of a player that `coup-climb` has found, in place of a table
    #[arg(long, value_name = "N,…")]
    chances: Option<Chances>,
    /// What the two seats have lost, the one that acts first; may be repeated
    #[arg(
        long,
        value_name = "CARD,CARD",
        value_parser = two_cards,
        default_values = [
            "duke,captain",
            "assassin,contessa",
            "ambassador,duke",
            "captain,assassin",
            "contessa,ambassador",
        ]
    )]
    lost: Vec<[Card; 2]>,
    /// How many coins they have, from 0 to 6; may be repeated
    #[arg(long, value_name = "N,N", value_parser = two_numbers, default_values = ["2,2", "4,4"])]
    coins: Vec<[u8; 2]>,
    /// Branches that are less likely are not followed
    #[arg(long, value_name = "X", value_parser = positive, default_value = "0.00001")]
    weight: f64,
    /// Nor are turns after these
    #[arg(long, value_name = "N", default_value_t = 40)]
    turns: u32,
    /// From how many situations the learned response learns
    #[arg(long, value_name = "N", default_value_t = 300_000)]
    visits: u64,
    /// How many changes climbing tries
    #[arg(long, value_name = "N", default_value_t = 300)]
    steps: u64,
    #[command(flatten)]
    seed: SeedArgs,
}

fn main() -> ExitCode {
    program::run(|given: Arguments| respond(&given))
}

fn two_cards(text: &str) -> Result<[Card; 2], &'static str> {
    pair(text, card).ok_or("expected two cards as duke,captain")
}

fn two_numbers(text: &str) -> Result<[u8; 2], &'static str> {
    let coins = pair(text, |text| text.parse().ok().filter(|coins| *coins < 7));
    coins.ok_or("expected two numbers from 0 to 6 as 3,3")
}

/// Two things with a comma between them.
fn pair<T>(text: &str, read: impl Fn(&str) -> Option<T>) -> Option<[T; 2]> {
    let (first, second) = text.split_once(',')?;
    Some([read(first.trim())?, read(second.trim())?])
}

fn card(name: &str) -> Option<Card> {
    let place = Character::ALL.iter().position(|card| card.to_string() == name)?;
    Card::try_from(place).ok()
}

fn respond(given: &Arguments) -> Result<(), String> {
    if let Some(chances) = given.chances {
        return tell(&chances, given);
    }
    let Some(path) = &given.table else {
        let packed = style_tracker::learned_table().ok_or("the table of `expert` is damaged")?;
        return tell(&Unpacked::new(packed), given);
    };
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let packed = PackedTable::new(&bytes);
    let packed = packed.ok_or_else(|| format!("{}: not a packed table", path.display()))?;
    tell(&Unpacked::new(packed), given)
}

/// Prints a row for each end game.
fn tell(table: &impl Table, given: &Arguments) -> Result<(), String> {
    println!("| lost | coins | best response | learned | climbed |");
    println!("| --- | --- | ---: | ---: | ---: |");
    let decks = Decks::new();
    for lost in &given.lost {
        for coins in &given.coins {
            let start = Start::endgame(*lost, *coins).ok_or("there is no such end game")?;
            let search = Search::new(
                table,
                Responding::Best,
                Limits { weight: given.weight, turns: given.turns },
            );
            let best = search.wins_on_both_sides(&start);
            let fixed = |response: &Response<'_>| {
                let limits = Limits { weight: 1e-7, turns: 200 };
                Course::new(table, response, &decks, limits).wins_on_both_sides(&start)
            };
            let responder = learned(table, &decks, &start, given);
            let learned = fixed(&by_learning(&responder));
            let climbed = climbed(table, &decks, &start, given)?;
            let climbed = fixed(&by_table(&climbed));
            let lost = lost.map(|card| Character::ALL[usize::from(card)].to_string()).join(", ");
            let [first, second] = coins;
            println!("| {lost} | {first}, {second} | {best} | {learned} | {climbed} |");
        }
    }
    Ok(())
}

/// A responder that has learned in this end game.
fn learned<'a, T: Table>(
    table: &'a T,
    decks: &'a Decks,
    start: &Start,
    given: &Arguments,
) -> Responder<'a, T> {
    let discount = Settings::default().discount;
    let mut responder = Responder::new(table, decks, *start, discount, number(&given.seed.seed));
    while responder.visits < given.visits {
        responder.learn(32);
    }
    responder
}

/// An end game in which a player of fixed chances is tried.
struct Endgame<'a, T> {
    table: &'a T,
    decks: &'a Decks,
    start: Start,
}

impl<T: Table> Trial for Endgame<'_, T> {
    fn points(&self, _: &Seed, _: u64, chances: Chances) -> Result<f64, StuckGame> {
        let response = by_table(&chances);
        // Enough to tell which of two players is better.
        let limits = Limits { weight: 1e-4, turns: 20 };
        let course = Course::new(self.table, &response, self.decks, limits);
        let Bounds { low, high } = course.wins_on_both_sides(&self.start);
        Ok((low + high) / 2.0)
    }
}

fn climbed(
    table: &impl Table,
    decks: &Decks,
    start: &Start,
    given: &Arguments,
) -> Result<Chances, String> {
    let trial = Endgame { table, decks, start: *start };
    let mut climb = Climb::new(trial, given.seed.seed.clone(), Chances::START);
    for _ in 0..given.steps {
        climb.step(1).map_err(|failed| failed.to_string())?;
    }
    Ok(climb.chances)
}
