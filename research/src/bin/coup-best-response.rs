//! What a best response wins against a table of Coup in an end game, exactly, beside what a learned
//! response and a climbed player win there: `coup-best-response --lost duke,captain --coins 3,3`.

use std::path::PathBuf;
use std::process::ExitCode;

use bots::coup::expert::Settings as Player;
use bots::coup::expert::cards::Card;
use bots::coup::expert::packed::Packed;
use research::coup::best_response::{
    Bounds, Course, Limits, Responding, Response, Search, by_learning, by_table,
};
use research::coup::chances::Chances;
use research::coup::climb::{Climb, Trial};
use research::coup::contest::{Failed, number};
use research::coup::deck::Decks;
use research::coup::pack::Unpacked;
use research::coup::responder::Responder;
use research::coup::settings::Settings;
use research::coup::start::Start;
use research::coup::table::Table;
use research::program;
use rules::Seed;
use rules::coup::Character;

const HELP: &str = "\
coup-best-response: what can be won against known chances in end games of Coup, exactly

Usage: coup-best-response [OPTIONS]

In an end game each seat has lost a card and is dealt another one. What a response wins is the mean over
both sides, between two bounds, in per cent. The best response remembers everything; the learned one and
the climbed player see the same end game, and what they win is computed, not played.

Options:
  --table FILE      a packed table (that of `expert --safe`)
  --chances N,…     the 26 chances of a player that `coup-climb` has found, in its place
  --lost CARD,CARD  what the two seats have lost, the one that acts first; may be repeated
                    (five pairs of different cards)
  --coins N,N       how many coins they have, from 0 to 6; may be repeated (2,2 4,4)
  --weight X        branches that are less likely are not followed (0.00001)
  --turns N         nor are turns after these (40)
  --visits N        from how many situations the learned response learns (300000)
  --steps N         how many changes climbing tries (300)
  --seed DIGITS     how the seed begins, up to 64 hexadecimal digits (aa)";

struct Plan {
    table: Option<PathBuf>,
    chances: Option<Chances>,
    lost: Vec<[Card; 2]>,
    coins: Vec<[u8; 2]>,
    limits: Limits,
    visits: u64,
    steps: u64,
    seed: Seed,
}

fn main() -> ExitCode {
    program::run("coup-best-response", HELP, |words| respond(&plan(words)?))
}

fn plan(words: &[String]) -> Result<Plan, String> {
    let mut plan = Plan {
        table: None,
        chances: None,
        lost: Vec::new(),
        coins: Vec::new(),
        limits: Limits { weight: 1e-5, turns: 40 },
        visits: 300_000,
        steps: 300,
        seed: Seed([0xaa; 32]),
    };
    for option in program::options(words)? {
        let wrong = |expected: &str| option.wrong(expected).to_string();
        match option.name {
            "--table" => plan.table = Some(option.value.into()),
            "--chances" => {
                plan.chances =
                    Some(option.value.parse().map_err(|bad| format!("--chances: {bad}"))?);
            }
            "--lost" => plan
                .lost
                .push(pair(option.value, card).ok_or_else(|| wrong("two cards as duke,captain"))?),
            "--coins" => plan.coins.push(
                pair(option.value, |text| text.parse().ok().filter(|coins| *coins < 7))
                    .ok_or_else(|| wrong("two numbers from 0 to 6 as 3,3"))?,
            ),
            "--weight" => {
                let weight = option.value.parse().ok().filter(|weight| *weight > 0.0);
                plan.limits.weight = weight.ok_or_else(|| wrong("a number above 0"))?;
            }
            "--turns" => plan.limits.turns = program::number(option.name, option.value)?,
            "--visits" => plan.visits = program::number(option.name, option.value)?,
            "--steps" => plan.steps = program::number(option.name, option.value)?,
            "--seed" => plan.seed = program::asked_seed(option.value)?,
            _ => return Err(program::unknown(option)),
        }
    }
    if plan.lost.is_empty() {
        plan.lost = vec![[4, 2], [1, 3], [0, 4], [2, 1], [3, 0]];
    }
    if plan.coins.is_empty() {
        plan.coins = vec![[2, 2], [4, 4]];
    }
    Ok(plan)
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

fn respond(plan: &Plan) -> Result<(), String> {
    if let Some(chances) = plan.chances {
        return tell(&chances, plan);
    }
    let Some(path) = &plan.table else {
        let packed = Player::table().ok_or("the table of `expert` is damaged")?;
        return tell(&Unpacked::new(packed), plan);
    };
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let packed = Packed::new(&bytes);
    let packed = packed.ok_or_else(|| format!("{}: not a packed table", path.display()))?;
    tell(&Unpacked::new(packed), plan)
}

/// Prints a row for each end game.
fn tell(table: &impl Table, plan: &Plan) -> Result<(), String> {
    println!("| lost | coins | best response | learned | climbed |");
    println!("| --- | --- | ---: | ---: | ---: |");
    let decks = Decks::new();
    for lost in &plan.lost {
        for coins in &plan.coins {
            let start = Start::endgame(*lost, *coins).ok_or("there is no such end game")?;
            let search = Search::new(table, Responding::Best, plan.limits);
            let best = search.wins_on_both_sides(&start);
            let fixed = |response: &Response<'_>| {
                let limits = Limits { weight: 1e-7, turns: 200 };
                Course::new(table, response, &decks, limits).wins_on_both_sides(&start)
            };
            let responder = learned(table, &decks, &start, plan);
            let learned = fixed(&by_learning(&responder));
            let climbed = climbed(table, &decks, &start, plan)?;
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
    plan: &Plan,
) -> Responder<'a, T> {
    let discount = Settings::default().discount;
    let mut responder = Responder::new(table, decks, *start, discount, number(&plan.seed));
    while responder.visits < plan.visits {
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
    fn points(&self, _: &Seed, _: u64, chances: Chances) -> Result<f64, Failed> {
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
    plan: &Plan,
) -> Result<Chances, String> {
    let trial = Endgame { table, decks, start: *start };
    let mut climb = Climb::new(trial, plan.seed.clone(), Chances::START);
    for _ in 0..plan.steps {
        climb.step(1).map_err(|failed| failed.to_string())?;
    }
    Ok(climb.chances)
}
