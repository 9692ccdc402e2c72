//! Trains the table of Coup: `coup-train --folder F --seed 1 --for 3h`.
//!
//! It goes on from the checkpoint in the folder where there is one.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{fs, io};

use bots::coup::expert::situation::Situation;
use clap::Parser;
use research::coup::checkpoint;
use research::coup::store::{HEAD, Layout, Store};
use research::coup::train::{Settings, Training};
use research::program;

/// Train the table of Coup
///
/// It goes on from the checkpoint in the folder where there is one, with the settings of that run.
#[derive(Debug, Parser)]
#[command(name = "coup-train", max_term_width = 100)]
struct Arguments {
    /// Where the checkpoint is
    #[arg(long)]
    folder: PathBuf,
    /// How long it learns at most
    #[arg(long = "for", value_name = "TIME", value_parser = humantime::parse_duration)]
    time: Option<Duration>,
    /// How many batches it learns in all at most
    #[arg(long, value_name = "N")]
    batches: Option<u64>,
    /// How many situations it visits at most
    #[arg(long, value_name = "N")]
    visits: Option<u64>,
    /// How many threads
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,
    /// How much memory the table may have
    #[arg(long, value_name = "N", default_value_t = 8)]
    memory_gb: usize,
    /// How often it writes a checkpoint
    #[arg(
        long,
        value_name = "TIME",
        value_parser = humantime::parse_duration,
        default_value = "20m"
    )]
    checkpoint: Duration,
    #[command(flatten)]
    settings: Settings,
}

fn main() -> ExitCode {
    program::run(train)
}

fn train(given: Arguments) -> Result<(), String> {
    let said = |error: io::Error| format!("{}: {error}", given.folder.display());
    fs::create_dir_all(&given.folder).map_err(said)?;
    let file = given.folder.join("checkpoint");
    let most = given.memory_gb << 30;
    let mut training = match file.exists() {
        true => {
            let from = checkpoint::read(&file).map_err(said)?;
            println!("goes on after {} batches with {:?}", from.batches, from.settings);
            Training::new(from.settings, from.store, from.batches, most)
        }
        false => {
            println!("begins with {:?}", given.settings);
            Training::new(given.settings, Store::new(), 0, most)
        }
    };
    let begin = Instant::now();
    let (mut told, mut saved) = (begin, begin);
    let mut before = 0;
    while training.batches < given.batches.unwrap_or(u64::MAX)
        && training.visits < given.visits.unwrap_or(u64::MAX)
        && begin.elapsed() < given.time.unwrap_or(Duration::MAX)
    {
        training.batch(given.threads);
        if told.elapsed() >= Duration::from_secs(60) {
            tell(
                &training,
                begin.elapsed(),
                (training.visits - before) as f64 / told.elapsed().as_secs_f64(),
            );
            before = training.visits;
            told = Instant::now();
        }
        if saved.elapsed() >= given.checkpoint {
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
