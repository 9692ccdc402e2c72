//! A training run as a file, from which it goes on exactly as if it had never stopped.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use bots::coup::expert::situation::Situation;

use crate::coup::store::{Layout, Shard, Store};
use crate::coup::train::{MOST_TREES, Settings};

/// First bytes of a checkpoint.
const MAGIC: [u8; 8] = *b"coupreg4";

#[derive(Debug)]
pub struct Checkpoint {
    pub settings: Settings,
    pub batches: u64,
    pub store: Store,
}

/// Writes a checkpoint: first a file beside it, which then takes its place.
pub fn write(path: &Path, settings: &Settings, batches: u64, store: &Store) -> io::Result<()> {
    let new = path.with_extension("new");
    let mut file = BufWriter::with_capacity(1 << 20, File::create(&new)?);
    file.write_all(&MAGIC)?;
    let Settings { seed, trees, paths, exploration, temper, slip, discount, .. } = *settings;
    file.write_all(&seed.to_le_bytes())?;
    file.write_all(&trees.to_le_bytes())?;
    file.write_all(&paths.to_le_bytes())?;
    let Settings { patience, least_rate, power, local_power, forgetting, forecast, floor, .. } =
        *settings;
    for number in [
        exploration,
        temper,
        slip,
        discount,
        patience,
        least_rate,
        power,
        local_power,
        forgetting,
        forecast,
        floor,
    ] {
        file.write_all(&number.to_le_bytes())?;
    }
    file.write_all(&batches.to_le_bytes())?;
    for shard in &store.shards {
        file.write_all(&(shard.records() as u64).to_le_bytes())?;
        let mut bytes = Vec::new();
        for (key, record) in shard.iter() {
            let Some(situation) = Situation::of_key(key) else { continue };
            bytes.clear();
            bytes.extend_from_slice(&key.to_le_bytes());
            let numbers = &record[..Layout::new(&situation).len()];
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            file.write_all(&bytes)?;
        }
    }
    file.into_inner()?.sync_all()?;
    fs::rename(&new, path)
}

/// Reads a checkpoint.
pub fn read(path: &Path) -> io::Result<Checkpoint> {
    let mut file = BufReader::with_capacity(1 << 20, File::open(path)?);
    if bytes(&mut file)? != MAGIC {
        return Err(io::Error::other("not a checkpoint of coup-train"));
    }
    let seed = u64::from_le_bytes(bytes(&mut file)?);
    let trees = u32::from_le_bytes(bytes(&mut file)?);
    if !(1..=MOST_TREES).contains(&trees) {
        return Err(io::Error::other("a checkpoint with an impossible number of trees"));
    }
    let paths = u32::from_le_bytes(bytes(&mut file)?);
    let mut number = || Ok::<f32, io::Error>(f32::from_le_bytes(bytes(&mut file)?));
    let settings = Settings {
        seed,
        trees,
        paths,
        exploration: number()?,
        temper: number()?,
        slip: number()?,
        discount: number()?,
        patience: number()?,
        least_rate: number()?,
        power: number()?,
        local_power: number()?,
        forgetting: number()?,
        forecast: number()?,
        floor: number()?,
    };
    let batches = u64::from_le_bytes(bytes(&mut file)?);
    let mut store = Store::new();
    for shard in &mut store.shards {
        read_shard(&mut file, shard)?;
    }
    Ok(Checkpoint { settings, batches, store })
}

fn read_shard(file: &mut impl Read, shard: &mut Shard) -> io::Result<()> {
    let records = u64::from_le_bytes(bytes(file)?);
    let mut line = Vec::new();
    for _ in 0..records {
        let key = u64::from_le_bytes(bytes(file)?);
        let situation = Situation::of_key(key);
        let situation = situation.ok_or_else(|| io::Error::other("no situation has this key"))?;
        let len = Layout::new(&situation).len();
        line.resize(len * 4, 0);
        file.read_exact(&mut line)?;
        let record = shard.get_or_new(key, len);
        for (number, bytes) in record.iter_mut().zip(line.as_chunks::<4>().0) {
            *number = f32::from_le_bytes(*bytes);
        }
    }
    Ok(())
}

fn bytes<const N: usize>(file: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}
