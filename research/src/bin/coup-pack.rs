//! Packs what was learnt of Coup: `coup-pack --from CHECKPOINT --to FILE --bytes 10000000`.

use std::path::PathBuf;
use std::process::ExitCode;

use bots::options::given;
use research::coup::store::Store;
use research::coup::{checkpoint, pack};
use research::program;

const HELP: &str = "usage: coup-pack --from CHECKPOINT --to FILE [--bytes N] [--visits N]";

fn main() -> ExitCode {
    program::run("coup-pack", HELP, pack_up)
}

fn pack_up(words: &[String]) -> Result<(), String> {
    let (mut from, mut to) = (PathBuf::new(), PathBuf::new());
    let (mut bytes, mut visits) = (10_000_000, 100.0);
    for option in given(words) {
        let wrong = || format!("expected a number after `{}`: `{}`", option.name, option.value);
        match option.name {
            "--from" => from = option.value.into(),
            "--to" => to = option.value.into(),
            "--visits" => visits = option.value.parse().map_err(|_| wrong())?,
            "--bytes" => bytes = option.value.parse().map_err(|_| wrong())?,
            _ => return Err(format!("unknown option `{}`; {HELP}", option.name)),
        }
    }
    let learnt = checkpoint::read(&from).map_err(|error| format!("{}: {error}", from.display()))?;
    tell(&learnt.store);
    let packed = pack::pack(&learnt.store, bytes, visits);
    println!("{} bytes after {} batches", packed.len(), learnt.batches);
    std::fs::write(&to, packed).map_err(|error| format!("{}: {error}", to.display()))
}

/// Says how well known the situations are that are met.
fn tell(store: &Store) {
    let mut known: Vec<(f32, f64)> = store
        .shards
        .iter()
        .flat_map(|shard| shard.iter().map(|(_, record)| (record[0], f64::from(record[1]))))
        .collect();
    known.sort_by(|first, second| first.0.total_cmp(&second.0));
    let total: f64 = known.iter().map(|(_, samples)| samples).sum();
    for least in [3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 10_000.0] {
        let fewer = known.iter().take_while(|(visits, _)| *visits < least);
        let (mut count, mut samples) = (0, 0.0);
        fewer.for_each(|(_, more)| {
            count += 1;
            samples += more;
        });
        println!(
            "{count} of {} situations were visited less than {least} times: {:.2}% of all samples",
            known.len(),
            100.0 * samples / total,
        );
    }
}
