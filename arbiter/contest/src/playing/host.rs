//! Name and processor of this machine, for the log.

use std::io::{BufRead, BufReader, Read};

use rules::Machine;

use sandbox::file;

/// File in which Linux describes the processors.
const PROCESSORS: &str = "/proc/cpuinfo";

/// Number of bytes of it that are read: the first processor stands for all.
const LOOKED_AT: u64 = 16 << 10;

/// Longest name that is kept, in characters.
const LONGEST_NAME: usize = 80;

/// Returns the name and processor of this machine. A given name replaces the host name.
pub fn this_machine(name: Option<&str>) -> Machine {
    let name = name.map_or_else(host_name, ToOwned::to_owned);
    Machine { name: short(&name), processor: processor().as_deref().map(short) }
}

#[cfg(unix)]
fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn host_name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_else(|_| "unknown".to_owned())
}

/// Returns the model of the first processor, if the system tells it.
fn processor() -> Option<String> {
    let file = file::open(PROCESSORS.as_ref()).ok()?;
    let mut lines = BufReader::new(file.take(LOOKED_AT)).lines().map_while(Result::ok);
    lines.find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == "model name").then(|| value.trim().to_owned())
    })
}

/// Makes a name one short line of printable characters, as every game of a log repeats it.
fn short(name: &str) -> String {
    let name: String =
        name.chars().filter(|it| !text::is_control(*it)).take(LONGEST_NAME).collect();
    name.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_given_is_kept_in_short() {
        let long = "n".repeat(1000);
        assert_eq!(this_machine(Some("node\u{1b}[2J7\n")).name, "node[2J7");
        assert_eq!(this_machine(Some(&long)).name.len(), LONGEST_NAME);
        assert!(!this_machine(None).name.is_empty());
    }
}
