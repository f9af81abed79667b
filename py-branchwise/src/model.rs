//! A fitted model, as Python holds it.

use crate::columns::Columns;
use crate::refused;
use branchwise::encode::Encoder;
use branchwise::tree;
use branchwise::{HtmlOptions, SqlOptions};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A fitted model. It is what the program writes with `--out`, and is pickled as that.
#[pyclass(module = "branchwise._core", frozen, eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct Model(branchwise::Model);

/// A node of a tree.
#[pyclass(module = "branchwise._core", frozen, get_all)]
pub(crate) struct Node {
    /// The node above, but for the root.
    parent: Option<usize>,
    /// How many splits are above.
    depth: usize,
    /// The column that a split asks about.
    column: Option<usize>,
    /// What a split asks.
    question: Option<String>,
    /// The answer that leads here from the node above.
    edge: Option<String>,
    /// The nodes below.
    children: Vec<usize>,
    /// Training rows of each class.
    rows: Vec<u64>,
    /// Their weight.
    weights: Vec<f64>,
    /// Each class's share of the weight.
    shares: Vec<f64>,
    /// The class with which the node answers, by its place among the model's.
    answer: usize,
}

impl Model {
    pub(crate) fn new(model: branchwise::Model) -> Self {
        Model(model)
    }

    pub(crate) fn inner(&self) -> &branchwise::Model {
        &self.0
    }

    pub(crate) fn encoder(&self) -> &Encoder {
        self.0.encoder()
    }
}

#[pymethods]
impl Model {
    /// The model in a text that `to_json` or the program has written.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        Ok(Model(branchwise::Model::from_json(text).map_err(refused)?))
    }

    fn to_json(&self) -> String {
        self.0.to_json()
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String,))> {
        let rebuild = slf.get_type().getattr("from_json")?;
        Ok((rebuild.unbind(), (slf.get().to_json(),)))
    }

    /// The same model with equal sibling subtrees shared.
    fn collapse(&self) -> Self {
        Model(self.0.collapse())
    }

    /// The same model with other names for its columns, to be shown.
    fn with_column_names(&self, names: Vec<String>) -> PyResult<Self> {
        Ok(Model(self.0.with_column_names(&names).map_err(refused)?))
    }

    /// The same model with other names for its classes, to be shown.
    fn with_class_names(&self, names: Vec<String>) -> PyResult<Self> {
        Ok(Model(self.0.with_class_names(&names).map_err(refused)?))
    }

    fn text(&self) -> String {
        self.0.text()
    }

    fn dot(&self) -> String {
        self.0.dot()
    }

    fn svg(&self) -> String {
        self.0.svg()
    }

    /// The picture of the tree as JSON: boxes, lines and texts with their positions.
    fn picture(&self) -> String {
        serde_json::to_string(&self.0.picture()).unwrap_or_default()
    }

    /// One page for a browser; the title is the user's, if there is one.
    fn html(&self, title: Option<String>) -> String {
        let options = HtmlOptions::default();
        self.0.html(&match title {
            Some(title) => options.title(title),
            None => options,
        })
    }

    #[pyo3(signature = (table, probabilities))]
    fn sql(&self, table: Option<String>, probabilities: bool) -> PyResult<String> {
        self.0.sql(&SqlOptions { table, probabilities }).map_err(refused)
    }

    fn python(&self) -> String {
        self.0.python()
    }

    fn rust(&self) -> String {
        self.0.rust()
    }

    fn onnx<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.onnx())
    }

    /// For each row of the columns, the number of the node that answers.
    fn answering<'py>(
        &self,
        py: Python<'py>,
        columns: &Columns,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let columns = columns.columns();
        let nodes = py.detach(|| self.0.answering(columns)).map_err(refused)?;
        let nodes: Vec<i64> = nodes.into_iter().map(|node| node.0.into()).collect();
        // A copy that NumPy owns, because SciPy does not index by other arrays.
        Ok(PyArray1::from_slice(py, &nodes))
    }

    /// The nodes of the tree, the root first, parents before children.
    fn nodes(&self) -> Vec<Node> {
        let words = self.0.words();
        let nodes = self.0.tree().nodes();
        let mut listed: Vec<Node> = nodes.iter().map(|node| self.bare(node)).collect();
        for (id, node) in nodes.iter().enumerate() {
            let tree::Node::Split { feature, children, .. } = node else { continue };
            let question = words.question(*feature);
            listed[id].question = Some(question.text());
            listed[id].column = Some(self.encoder().features()[*feature].column());
            for child in children {
                let depth = listed[id].depth + 1;
                let below = &mut listed[child.node.0 as usize];
                below.parent = Some(id);
                below.depth = depth;
                below.edge = Some(question.edge(&child.categories));
            }
        }
        listed
    }

    /// For each column, its share of what the splits earn.
    fn importances<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.0.importances())
    }

    /// The classes, in the model's order.
    #[getter]
    fn classes(&self) -> Vec<String> {
        self.0.target().classes.clone()
    }

    /// The name of the column that is predicted.
    #[getter]
    fn target_name(&self) -> &str {
        &self.0.target().name
    }

    /// The names of the columns that can be asked about.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.0.column_names()
    }

    /// Whether the training table named its columns.
    #[getter]
    fn is_named(&self) -> bool {
        self.0.read_options().header != branchwise::data::Header::Absent
    }

    /// The columns that are left out although the user did not ask for it: name and reason.
    #[getter]
    fn left_out(&self) -> Vec<(String, String)> {
        let inputs = self.encoder().inputs().iter();
        inputs.filter_map(|i| Some((i.name.clone(), i.left_out?.to_string()))).collect()
    }

    #[getter]
    fn is_optimal(&self) -> bool {
        self.0.summary().is_optimal()
    }

    /// The objective and how the search ended, as one sentence.
    #[getter]
    fn verdict(&self) -> String {
        self.0.summary().sentence()
    }

    /// By how much another tree could be better at most.
    #[getter]
    fn gap(&self) -> f64 {
        self.0.summary().gap()
    }

    /// Which limit ended the search, if one did.
    #[getter]
    fn stopped_by(&self) -> Option<String> {
        let reason = self.0.summary().stopped_by?;
        serde_json::to_value(reason).ok()?.as_str().map(String::from)
    }

    #[getter]
    fn objective(&self) -> f64 {
        self.0.summary().objective
    }

    #[getter]
    fn upper_bound(&self) -> f64 {
        self.0.summary().upper_bound
    }

    #[getter]
    fn accuracy(&self) -> f64 {
        self.0.summary().accuracy
    }

    #[getter]
    fn seconds(&self) -> f64 {
        self.0.summary().seconds
    }

    #[getter]
    fn iterations(&self) -> u64 {
        self.0.summary().iterations
    }

    /// Seconds, objective and bound each time one of them moved.
    #[getter]
    fn trace(&self) -> Vec<(f64, f64, f64)> {
        let points = self.0.summary().trace.iter();
        points.map(|p| (p.seconds, p.objective, p.upper_bound)).collect()
    }

    /// λ as it was written.
    #[getter]
    fn split_penalty(&self) -> &str {
        self.0.settings().goal.split_penalty.as_str()
    }

    /// The settings as JSON.
    #[getter]
    fn settings(&self) -> String {
        self.0.settings().to_json()
    }
}

impl Model {
    /// A node without what its parent says about it.
    fn bare(&self, node: &tree::Node) -> Node {
        let counts = node.counts();
        let scale = self.0.weight_scale() as f64;
        Node {
            parent: None,
            depth: 0,
            column: None,
            question: None,
            edge: None,
            children: node.children().iter().map(|child| child.node.0 as usize).collect(),
            rows: counts.rows.clone(),
            shares: counts.shares(),
            weights: counts.deciding().iter().map(|&weight| weight as f64 / scale).collect(),
            answer: counts.answer() as usize,
        }
    }
}
