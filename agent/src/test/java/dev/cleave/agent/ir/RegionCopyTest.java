package dev.cleave.agent.ir;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class RegionCopyTest {

    private final MethodBody body = Bodies.of(Shapes.class, "guarded");
    private final List<Op> region = List.copyOf(body.ops());

    @Test
    void repeatsEachHandlerRightBehindItsOriginal() {
        RegionCopy copy = RegionCopy.of(body, region, UnaryOperator.identity(), UnaryOperator.identity());
        body.append(copy.ops());

        copy.addHandlers();

        assertThat(body.handlers())
                .extracting(Handler::type)
                .containsExactly(
                        "java/lang/NumberFormatException", "java/lang/NumberFormatException", null, null, null, null);
    }

    @Test
    void coversTheCloneOfWhatTheOriginalCovers() {
        RegionCopy copy = RegionCopy.of(body, region, UnaryOperator.identity(), UnaryOperator.identity());
        body.append(copy.ops());
        copy.addHandlers();

        for (Op op : region) {
            Op clone = copy.cloneOf(op);
            if (op.isExecutable() && clone != null) {
                assertThat(body.handlersOf(clone))
                        .extracting(Handler::type)
                        .isEqualTo(
                                body.handlersOf(op).stream().map(Handler::type).toList());
                assertThat(body.handlersOf(clone)).noneMatch(body.handlersOf(op)::contains);
            }
        }
    }

    @Test
    void goesToTheGivenLabelsOutside() {
        MethodBody loop = Bodies.of(Shapes.class, "sum");
        LabelOp exit = loop.label();
        Op branch = loop.ops().stream()
                .filter(BranchOp.class::isInstance)
                .findFirst()
                .orElseThrow();

        RegionCopy copy = RegionCopy.of(loop, List.of(branch), UnaryOperator.identity(), label -> exit);

        assertThat(copy.ops()).singleElement().satisfies(op -> assertThat(op.targets())
                .containsExactly(exit));
    }
}
