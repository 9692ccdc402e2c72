//! Training depends on its seed alone.

use std::num::NonZeroUsize;

use bots::coup::expert::situation::Situation;
use research::coup::checkpoint;
use research::coup::deck::Decks;
use research::coup::store::{Layout, Store};
use research::coup::train::{Settings, Training};

const MOST: usize = 1 << 30;

pub(crate) fn small() -> Settings {
    Settings { trees: 4, paths: 8, ..Settings::default() }
}

pub(crate) fn trained(batches: u64, threads: usize) -> Training {
    let mut training = Training::new(small(), Store::new(), 0, MOST);
    let threads = NonZeroUsize::new(threads).expect("a thread");
    (0..batches).for_each(|_| training.batch(threads));
    training
}

/// All keys with the bits of their numbers.
fn all(store: &Store) -> Vec<(u64, Vec<u32>)> {
    let records = store.shards.iter().flat_map(|shard| shard.iter());
    let bits = records.map(|(key, record)| {
        let situation = Situation::of_key(key).expect("a situation");
        let numbers = &record[..Layout::new(&situation).len()];
        (key, numbers.iter().map(|number| number.to_bits()).collect())
    });
    bits.collect()
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let alone = all(&trained(12, 1).store);
    assert!(alone.len() > 100, "{} situations", alone.len());
    for threads in [2, 3, 7] {
        assert!(alone == all(&trained(12, threads).store), "{threads} threads");
    }
}

#[test]
fn a_run_that_was_stopped_goes_on_as_if_it_had_not_been() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("checkpoint");
    let first = trained(5, 1);
    checkpoint::write(&file, &first.settings, first.batches, &first.store).expect("written");
    let read = checkpoint::read(&file).expect("read");
    assert_eq!((read.batches, read.settings), (5, small()));
    let mut second = Training::new(read.settings, read.store, read.batches, MOST);
    (0..7).for_each(|_| second.batch(NonZeroUsize::MIN));
    assert!(all(&second.store) == all(&trained(12, 1).store));
}

#[test]
fn a_file_that_is_no_checkpoint_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("checkpoint");
    std::fs::write(&file, b"coupregX and so on").expect("written");
    assert!(checkpoint::read(&file).is_err());
}

#[test]
fn hands_are_dealt_as_often_as_the_cards_say() {
    let decks = Decks::new();
    let total: f32 = decks.start.iter().sum();
    assert!((total - 1.0).abs() < 1e-5);
    // Both have two Ambassadors: there are three.
    assert_eq!(decks.start[0], 0.0);
    // The one has two Ambassadors, the other two Assassins: 3/15 · 2/14 · 3/13 · 2/12.
    let expected = 3.0 / 15.0 * 2.0 / 14.0 * 3.0 / 13.0 * 2.0 / 12.0;
    assert!((decks.start[5] - expected).abs() < 1e-7, "{}", decks.start[5]);
}
