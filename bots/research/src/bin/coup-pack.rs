//! Packs what was learnt of Coup: `coup-pack --from CHECKPOINT --to FILE --bytes 10000000`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use research::coup::store::Store;
use research::coup::{checkpoint, pack};
use research::program;

/// Pack what was learnt of Coup
#[derive(Debug, Parser)]
#[command(name = "coup-pack", max_term_width = 100)]
struct Arguments {
    /// A checkpoint of `coup-train`
    #[arg(long, value_name = "CHECKPOINT")]
    from: PathBuf,
    /// The packed table
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
    /// How many bytes it may have
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    bytes: usize,
    /// How often a situation that is packed was visited
    #[arg(long, value_name = "N", default_value_t = 100.0)]
    visits: f32,
}

fn main() -> ExitCode {
    program::run(pack_up)
}

fn pack_up(given: Arguments) -> Result<(), String> {
    let Arguments { from, to, bytes, visits } = given;
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
