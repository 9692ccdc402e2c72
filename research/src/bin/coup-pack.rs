//! Packs what was learnt of Coup: `coup-pack --from CHECKPOINT --to FILE --bytes 10000000`.

use std::path::PathBuf;
use std::process::ExitCode;

use bots::options::given;
use research::coup::{checkpoint, pack};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("coup-pack: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[String]) -> Result<(), String> {
    let (mut from, mut to, mut bytes) = (PathBuf::new(), PathBuf::new(), 10_000_000);
    for option in given(words) {
        let wrong = || format!("expected a number after `{}`: `{}`", option.name, option.value);
        match option.name {
            "--from" => from = option.value.into(),
            "--to" => to = option.value.into(),
            "--bytes" => bytes = option.value.parse().map_err(|_| wrong())?,
            _ => return Err(format!("unknown option `{}`", option.name)),
        }
    }
    let learnt = checkpoint::read(&from).map_err(|error| format!("{}: {error}", from.display()))?;
    let packed = pack::pack(&learnt.store, bytes);
    println!("{} bytes after {} batches", packed.len(), learnt.batches);
    std::fs::write(&to, packed).map_err(|error| format!("{}: {error}", to.display()))
}
