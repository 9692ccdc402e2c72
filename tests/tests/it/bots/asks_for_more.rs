//! A bot whose manifest asks for more than its own folder.

use std::fs;

use tests::bench::Bench;

const MANIFEST: &str = "name = 'mine'\ncommand = 'sh ./first.sh'\nread = ['data', '../books']\n\
                        network = true\n";

/// A bench with such a bot in the folder `bot`, and with the folder `books` that it asks for.
pub(super) fn bench() -> Bench {
    let bench = Bench::new();
    for folder in ["bot", "books"] {
        fs::create_dir(bench.path(folder)).expect("a folder");
    }
    bench.write("bot/bot.toml", MANIFEST);
    bench.write("bot/first.sh", "sed -n '/^legal /{n;p;q}'\n");
    bench
}
