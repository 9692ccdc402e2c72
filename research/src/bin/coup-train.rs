//! Trains the table of Coup: `coup-train --folder F --seed 1 --for 3h`.
//!
//! It goes on from the checkpoint in the folder where there is one.

use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bots::coup::expert::situation::Situation;
use bots::options::given;
use research::coup::checkpoint;
use research::coup::settings::{MOST_TREES, Settings};
use research::coup::store::{HEAD, Layout, Store};
use research::coup::train::Training;
use research::program;

const HELP: &str = "usage: coup-train --folder F [--for 3h] [--batches N] [--visits N] [--threads N] \
    [--memory-gb N] [--checkpoint 20m] [--seed N and other settings of a new run]";

/// As many trees as a batch may have.
fn trees(number: u64) -> Option<u32> {
    u32::try_from(number).ok().filter(|trees| (1..=MOST_TREES).contains(trees))
}

struct Plan {
    folder: PathBuf,
    time: Duration,
    batches: u64,
    visits: u64,
    threads: NonZeroUsize,
    memory: usize,
    checkpoint: Duration,
    settings: Settings,
}

fn main() -> ExitCode {
    program::run("coup-train", HELP, |words| train(&plan(words)?))
}

fn plan(words: &[String]) -> Result<Plan, String> {
    let mut plan = Plan {
        folder: PathBuf::new(),
        time: Duration::MAX,
        batches: u64::MAX,
        visits: u64::MAX,
        threads: NonZeroUsize::MIN,
        memory: 8,
        checkpoint: Duration::from_secs(20 * 60),
        settings: Settings::default(),
    };
    for option in given(words) {
        let wrong = |_| format!("wrong value after `{}`: `{}`; {HELP}", option.name, option.value);
        let duration = || humantime::parse_duration(option.value).map_err(|_| wrong(()));
        let number = || option.value.parse::<u64>().map_err(|_| wrong(()));
        let real = || option.value.parse::<f32>().map_err(|_| wrong(()));
        let settings = &mut plan.settings;
        match option.name {
            "--folder" => plan.folder = option.value.into(),
            "--for" => plan.time = duration()?,
            "--checkpoint" => plan.checkpoint = duration()?,
            "--batches" => plan.batches = number()?,
            "--visits" => plan.visits = number()?,
            "--threads" => plan.threads = option.value.parse().map_err(|_| wrong(()))?,
            "--memory-gb" => plan.memory = number()? as usize,
            "--seed" => settings.seed = number()?,
            "--trees" => settings.trees = trees(number()?).ok_or_else(|| wrong(()))?,
            "--paths" => settings.paths = number()? as u32,
            "--exploration" => settings.exploration = real()?,
            "--temper" => settings.temper = real()?,
            "--local-power" => settings.local_power = real()?,
            "--slip" => settings.slip = real()?,
            "--discount" => settings.discount = real()?,
            "--patience" => settings.patience = real()?,
            "--least-rate" => settings.least_rate = real()?,
            "--power" => settings.power = real()?,
            "--forgetting" => settings.forgetting = real()?,
            "--forecast" => settings.forecast = real()?,
            "--floor" => settings.floor = real()?,
            _ => return Err(format!("unknown option `{}`; {HELP}", option.name)),
        }
    }
    if plan.folder.as_os_str().is_empty() {
        return Err(HELP.to_owned());
    }
    Ok(plan)
}

fn train(plan: &Plan) -> Result<(), String> {
    let said = |error: io::Error| format!("{}: {error}", plan.folder.display());
    fs::create_dir_all(&plan.folder).map_err(said)?;
    let file = plan.folder.join("checkpoint");
    let most = plan.memory << 30;
    let mut training = match file.exists() {
        true => {
            let from = checkpoint::read(&file).map_err(said)?;
            println!("goes on after {} batches with {:?}", from.batches, from.settings);
            Training::new(from.settings, from.store, from.batches, most)
        }
        false => {
            println!("begins with {:?}", plan.settings);
            Training::new(plan.settings, Store::new(), 0, most)
        }
    };
    let begin = Instant::now();
    let (mut told, mut saved) = (begin, begin);
    let mut before = 0;
    while training.batches < plan.batches
        && training.visits < plan.visits
        && begin.elapsed() < plan.time
    {
        training.batch(plan.threads);
        if told.elapsed() >= Duration::from_secs(60) {
            tell(
                &training,
                begin.elapsed(),
                (training.visits - before) as f64 / told.elapsed().as_secs_f64(),
            );
            before = training.visits;
            told = Instant::now();
        }
        if saved.elapsed() >= plan.checkpoint {
            save(&file, &training).map_err(said)?;
            saved = Instant::now();
        }
    }
    tell(&training, begin.elapsed(), training.visits as f64 / begin.elapsed().as_secs_f64());
    save(&file, &training).map_err(said)
}

fn save(file: &Path, training: &Training) -> io::Result<()> {
    let begin = Instant::now();
    checkpoint::write(file, &training.settings, training.batches, &training.store)?;
    println!("checkpoint after {} batches, in {:.0?}", training.batches, begin.elapsed());
    Ok(())
}

/// One line of where it stands: the value of the start among it, for the seat that begins.
fn tell(training: &Training, time: Duration, rate: f64) {
    let start = Situation::START;
    let value: f32 = training.store.get(start.key()).map_or(0.0, |record| {
        let values = Layout::new(&start).values(&record[..HEAD + 240]);
        let joint = research::coup::deck::Decks::new().start;
        values.iter().zip(joint).map(|(value, chance)| value * chance).sum()
    });
    println!(
        "{:>7.0}s batches {} situations {} memory {:.2} GB visits a second {:.0} start {:+.4}",
        time.as_secs_f64(),
        training.batches,
        training.store.records(),
        training.store.bytes() as f64 / 1e9,
        rate,
        value,
    );
}
