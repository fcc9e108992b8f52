package dev.cleave.agent.fuzz;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TryTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** The programs that one cut makes of a program; not all of them compile. */
final class Cuts extends TreeScanner<Void, Void> {

    /** A piece of the text and what comes in its place. */
    private record Cut(int from, int to, String instead) {

        int saved() {
            return to - from - instead.length();
        }
    }

    private final String source;
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final List<Cut> cuts = new ArrayList<>();

    private Cuts(String source, CompilationUnitTree unit, SourcePositions positions) {
        this.source = source;
        this.unit = unit;
        this.positions = positions;
    }

    /** All of them, the smallest program first. */
    static List<String> of(String source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavacTask task = (JavacTask) compiler.getTask(null, null, message -> {}, null, null, List.of(new Text(source)));
        try {
            CompilationUnitTree unit = task.parse().iterator().next();
            Cuts cuts = new Cuts(source, unit, Trees.instance(task).getSourcePositions());
            cuts.scan(unit, null);
            return cuts.cuts.stream()
                    .filter(cut -> cut.saved() > 0)
                    .sorted(Comparator.comparingInt(Cut::saved).reversed())
                    .map(cut -> source.substring(0, cut.from()) + cut.instead() + source.substring(cut.to()))
                    .distinct()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Void visitClass(ClassTree node, Void nothing) {
        for (Tree member : node.getMembers()) {
            cut(member, "");
        }
        return super.visitClass(node, nothing);
    }

    @Override
    public Void visitBlock(BlockTree node, Void nothing) {
        for (StatementTree statement : node.getStatements()) {
            cut(statement, "");
        }
        return super.visitBlock(node, nothing);
    }

    @Override
    public Void scan(Tree tree, Void nothing) {
        if (tree instanceof StatementTree && !(tree instanceof ClassTree) && !(tree instanceof BlockTree)) {
            new Inner(tree).scan(tree, null);
        }
        if (tree instanceof BlockTree block && block.getStatements().size() == 1) {
            cut(tree, text(block.getStatements().get(0)));
        }
        return super.scan(tree, nothing);
    }

    /** Puts the statements of a statement in its place. */
    private final class Inner extends TreeScanner<Void, Void> {

        private final Tree outer;

        Inner(Tree outer) {
            this.outer = outer;
        }

        @Override
        public Void scan(Tree tree, Void nothing) {
            if (tree != outer && tree instanceof StatementTree) {
                cut(outer, text(tree));
                return null;
            }
            return super.scan(tree, nothing);
        }
    }

    @Override
    public Void visitIf(IfTree node, Void nothing) {
        if (node.getElseStatement() != null) {
            cuts.add(new Cut(end(node.getThenStatement()), end(node), ""));
        }
        return super.visitIf(node, nothing);
    }

    @Override
    public Void visitTry(TryTree node, Void nothing) {
        if (node.getFinallyBlock() != null && !node.getCatches().isEmpty()) {
            cuts.add(new Cut(end(node.getCatches().get(node.getCatches().size() - 1)), end(node), ""));
        }
        node.getCatches().forEach(handler -> cut(handler, ""));
        return super.visitTry(node, nothing);
    }

    @Override
    public Void visitBinary(BinaryTree node, Void nothing) {
        cut(node, text(node.getLeftOperand()));
        cut(node, text(node.getRightOperand()));
        return super.visitBinary(node, nothing);
    }

    @Override
    public Void visitConditionalExpression(ConditionalExpressionTree node, Void nothing) {
        cut(node, text(node.getTrueExpression()));
        cut(node, text(node.getFalseExpression()));
        return super.visitConditionalExpression(node, nothing);
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree node, Void nothing) {
        for (ExpressionTree argument : node.getArguments()) {
            cut(argument, "1");
            cut(node, text(argument));
        }
        cut(node, "1");
        return super.visitMethodInvocation(node, nothing);
    }

    private void cut(Tree tree, String instead) {
        int from = (int) positions.getStartPosition(unit, tree);
        int to = end(tree);
        if (from >= 0 && to > from) {
            boolean isLine = instead.isEmpty() && to < source.length() && source.charAt(to) == '\n';
            while (isLine && from > 0 && source.charAt(from - 1) == ' ') {
                from--;
            }
            boolean isAlone = isLine && from > 0 && source.charAt(from - 1) == '\n';
            cuts.add(new Cut(from, isAlone ? to + 1 : to, instead));
        }
    }

    private int end(Tree tree) {
        return (int) positions.getEndPosition(unit, tree);
    }

    private String text(Tree tree) {
        int from = (int) positions.getStartPosition(unit, tree);
        return from < 0 || end(tree) < from ? "" : source.substring(from, end(tree));
    }

    private static final class Text extends SimpleJavaFileObject {

        private final String text;

        Text(String text) {
            super(URI.create("string:///P.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignored) {
            return text;
        }
    }
}
