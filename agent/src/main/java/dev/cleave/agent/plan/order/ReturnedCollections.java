package dev.cleave.agent.plan.order;

import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.plan.method.EntryTest;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.Value;
import dev.cleave.agent.plan.slice.Aliases;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collections that remote calls return (R43): they are of classes of the JDK if no class of the program that is a
 * collection may travel through the service, which is known when the region is entered.
 */
final class ReturnedCollections {

    private static final Set<String> TYPES = Set.of("java/util/Collection", "java/util/List", "java/util/Set");

    /** Methods that run no code of elements, nor of comparators. */
    private static final Set<String> READING = Set.of("stream", "iterator", "size", "isEmpty", "get");

    private final Method method;
    private final Aliases aliases;

    ReturnedCollections(Method method, Aliases aliases) {
        this.method = method;
        this.aliases = aliases;
    }

    /**
     * Returns the test under which an op only reads the collection that a remote call has returned, null if there is
     * none.
     *
     * @param made the op that makes the object of the guard, -1 if that is not known
     */
    @Nullable
    EntryTest test(int index, int made, Guard guard) {
        boolean isResult = made >= 0
                && guard.kind() == Guard.Kind.PLAIN
                && method.helper(made) == null
                && method.effects().settingOf(method.op(made)) != null;
        boolean isRead = method.op(index) instanceof InsnOp op
                && op.method() != null
                && TYPES.contains(op.method().owner)
                && READING.contains(op.method().name);
        Value service = isResult && isRead
                ? aliases.atEntry(made, method.op(made).uses().get(0))
                : null;
        return service == null ? null : new EntryTest(EntryTest.Kind.JDK_COLLECTIONS, List.of(service), "");
    }
}
