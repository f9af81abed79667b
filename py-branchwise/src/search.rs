//! Runs a search for Python: other threads keep running, signals are handled, progress is reported.

use crate::columns::Columns;
use crate::model::Model;
use crate::refused;
use crate::settings;
use branchwise::data::Target;
use branchwise::search::{Observer, Progress};
use branchwise::{Dataset, PathPoint, Solver, StopFlag, Table};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The time between two checks for signals.
const PATIENCE: Duration = Duration::from_millis(20);

/// A table, what it is, and what is asked of it: an object with these attributes.
#[derive(FromPyObject)]
pub(crate) struct Task<'py> {
    columns: PyRef<'py, Columns>,
    target: PyRef<'py, Columns>,
    roles: Roles<'py>,
    /// The settings as JSON.
    settings: String,
}

/// What rows are worth, and what columns are: what a table needs to be learnt from.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Roles<'py> {
    /// Whether the columns have names of their own.
    named: bool,
    /// Which columns are categories; `None`: as their types say.
    categorical: Option<Vec<bool>>,
    /// How many rows each row stands for.
    counts: Option<PyReadonlyArray1<'py, u64>>,
    /// What each row weighs.
    weights: Option<PyReadonlyArray1<'py, f64>>,
}

/// Find the best tree. Returns the model, and whether Ctrl-C ended the search.
///
/// The search starts from the tree of `start`, an earlier model of the same columns.
///
/// The first Ctrl-C ends the search with the best tree found if `keep` is true; otherwise, and the
/// second time, it is raised. `progress` is called from time to time with a line that says how far the
/// search is; it returns whether to stop.
#[pyfunction]
pub(crate) fn fit(
    py: Python<'_>,
    task: Task<'_>,
    start: Option<&Model>,
    keep: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Model, bool)> {
    let mut solver = settings::solver(&task.settings)?;
    if let Some(start) = start {
        solver = solver.start_from(start.inner().clone());
    }
    let dataset = task.dataset(&solver)?;
    let search = Search { solver, flag: StopFlag::default(), keep, progress };
    let fit = |solver: Solver, observer: &mut Noticed| solver.fit_observed(&dataset, observer);
    let (solution, interrupted) = py.detach(|| search.run(fit))?;
    Ok((Model::new(solution.model), interrupted))
}

/// A point of a path, and the mean and the standard error on rows that were held out, if any were.
type Point = (f64, f64, Model, Option<(f64, f64)>);

/// The points of a path, what is proven of them, the two to choose from, and whether Ctrl-C ended the
/// search.
type Walked = (Vec<Point>, String, Option<(usize, usize)>, bool);

/// Find every tree that is optimal for some λ from that of the settings on, from the largest λ to the
/// smallest; and with `folds` the points of the best mean and within one standard error of it. Ctrl-C and
/// `progress` are as in `fit`.
#[pyfunction]
pub(crate) fn path(
    py: Python<'_>,
    task: Task<'_>,
    folds: Option<(usize, u64)>,
    keep: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Walked> {
    let solver = settings::solver(&task.settings)?;
    let dataset = task.dataset(&solver)?;
    let rows = dataset.n_counted_rows();
    if let Some((folds, _)) = folds.filter(|&(folds, _)| folds as u64 > rows) {
        let message = format!("{folds} folds need as many rows, but n_samples={rows}");
        return Err(PyValueError::new_err(message));
    }
    let search = Search { solver, flag: StopFlag::default(), keep, progress };
    let walk = |solver: Solver, observer: &mut Noticed| {
        let path = solver.path_observed(&dataset, observer)?;
        let mut validate =
            |(folds, seed)| solver.cross_validate(&dataset, &path, folds, seed, observer);
        let validation = match folds.map(&mut validate).transpose() {
            // A limit was reached before there was anything to compare: the path is there.
            Err(error) if error.stopped_by().is_some() => None,
            validation => validation?,
        };
        Ok((path, validation))
    };
    let ((path, validation), interrupted) = py.detach(|| search.run(walk))?;
    let held_out = |place: usize| {
        let held_out = &validation.as_ref()?.held_out[place];
        Some((held_out.mean, held_out.standard_error))
    };
    let point = |(place, point): (usize, PathPoint)| {
        let (from, until) = (point.from.to_f64(), point.until.to_f64());
        (from, until, Model::new(point.solution.model), held_out(place))
    };
    let verdict = path.verdict();
    let points = path.points.into_iter().enumerate().map(point).collect();
    let chosen = validation.as_ref().map(|found| (found.best, found.one_standard_error));
    Ok((points, verdict, chosen, interrupted))
}

impl Task<'_> {
    fn dataset(&self, solver: &Solver) -> PyResult<Dataset> {
        let Task { columns: features, target, roles, .. } = self;
        let columns = features.columns().iter().chain(target.columns()).cloned().collect();
        let mut table = Table::from_columns(columns);
        if !roles.named {
            table = table.without_names();
        }
        let names: Vec<String> =
            table.columns().iter().map(|column| column.name().to_string()).collect();
        let types = features.types(&names, roles.categorical.as_deref());
        let mut table = table.with_types(&types).map_err(refused)?;
        let mut counts = roles.counts.as_ref().map(|counts| counts.as_array().to_vec());
        let mut weights = roles.weights.as_ref().map(|weights| weights.as_array().to_vec());
        if counts.is_none() {
            counts = weights.as_deref().and_then(as_counts);
            weights = weights.filter(|_| counts.is_none());
        }
        if let Some(counts) = counts {
            table = table.with_counts(counts).map_err(refused)?;
        }
        let dataset = table.dataset(Target::Last).map_err(refused)?;
        let Some(weights) = weights else { return Ok(dataset) };
        let most = solver.most_weight(dataset.n_rows()).map_err(refused)?;
        dataset.with_weights_up_to(&weights, most).map_err(refused)
    }
}

/// Weights that are whole numbers, as counts: a row of weight 3 is exactly like three equal rows.
fn as_counts(weights: &[f64]) -> Option<Vec<u64>> {
    /// Sums below this are exact.
    const MOST: f64 = (1u64 << 48) as f64;
    let whole = weights.iter().all(|weight| weight.fract() == 0.0 && *weight >= 0.0);
    let fits = weights.iter().sum::<f64>() < MOST;
    (whole && fits).then(|| weights.iter().map(|&weight| weight as u64).collect())
}

/// A search, and the function that is called with its progress.
struct Search {
    solver: Solver,
    flag: StopFlag,
    keep: bool,
    progress: Option<Py<PyAny>>,
}

impl Search {
    /// Search on a thread of its own, and wait for it on this one, to which Python's signals come.
    fn run<T: Send>(
        &self,
        work: impl FnOnce(Solver, &mut Noticed) -> branchwise::Result<T> + Send,
    ) -> PyResult<(T, bool)> {
        let latest = Mutex::new(None);
        let solver = self.solver.clone().stop_flag(self.flag.clone());
        let mut waiting = Waiting { search: self, interrupted: false, raised: None };
        let found = std::thread::scope(|scope| {
            let (done, ended) = channel();
            let latest = &latest;
            let searching = scope.spawn(move || {
                let found = work(solver, &mut Noticed { latest, fold: None });
                // The receiver exists until this has been sent, so the result does not matter.
                let _ = done.send(());
                found
            });
            while ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                waiting.look(latest);
            }
            searching.join()
        });
        if let Some(error) = waiting.raised {
            return Err(error);
        }
        match found {
            Ok(Ok(found)) => Ok((found, waiting.interrupted)),
            Ok(Err(error)) => Err(refused(error)),
            Err(_) => Err(PyRuntimeError::new_err(
                "the search has failed, which it should never do; please report it",
            )),
        }
    }
}

/// What has come up while the search runs.
struct Waiting<'s> {
    search: &'s Search,
    interrupted: bool,
    /// What Python raised; the search is then given up.
    raised: Option<PyErr>,
}

impl Waiting<'_> {
    fn look(&mut self, latest: &Mutex<Option<State>>) {
        Python::attach(|py| {
            let told = py.check_signals().and_then(|()| self.tell(py, latest));
            let error = match told {
                Ok(false) => return,
                Ok(true) => return self.search.flag.raise(),
                Err(error) => error,
            };
            self.search.flag.raise();
            let ends = error.is_instance_of::<PyKeyboardInterrupt>(py);
            if ends && self.search.keep && !self.interrupted {
                self.interrupted = true;
            } else {
                self.raised.get_or_insert(error);
            }
        });
    }

    /// Tell how it stands, if that is news; returns whether to stop.
    fn tell(&self, py: Python<'_>, latest: &Mutex<Option<State>>) -> PyResult<bool> {
        let Some(progress) = &self.search.progress else { return Ok(false) };
        let Some((state, fold)) = latest.lock().unwrap_or_else(PoisonError::into_inner).take()
        else {
            return Ok(false);
        };
        let fold = fold.map(|(fold, folds)| format!("fold {fold} of {folds}  "));
        let line = format!("{}{:.1} s  {state}", fold.unwrap_or_default(), state.seconds);
        progress.call1(py, (line,))?.extract(py)
    }
}

/// How far a search is, and in cross-validation the fold that it is for and the number of folds.
type State = (Progress, Option<(usize, usize)>);

/// Keeps the latest state of the search for the waiting thread.
struct Noticed<'p> {
    latest: &'p Mutex<Option<State>>,
    fold: Option<(usize, usize)>,
}

impl Observer for Noticed<'_> {
    fn fold(&mut self, fold: usize, folds: usize) {
        self.fold = Some((fold, folds));
    }

    fn tick(&mut self, progress: &Progress) {
        let state = (*progress, self.fold);
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(state);
    }
}
