package dev.cleave.agent.plan.stream;

import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.plan.method.Function;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;

/** Knows the effects of collectors of the JDK on the elements of a stream; all other collectors are unknown. */
final class CollectorEffects {

    /** Collectors that only keep or count their elements. */
    private static final Set<String> QUIET = Set.of("toList", "toUnmodifiableList", "counting");

    /** Collectors that call {@code hashCode} and {@code equals} of their elements, or {@code toString}. */
    private static final Set<String> ON_VALUES = Set.of("toSet", "toUnmodifiableSet", "joining");

    /** Collectors whose first function gives keys; they call {@code hashCode} and {@code equals} of the keys. */
    private static final Set<String> KEYED = Set.of("toMap", "toUnmodifiableMap", "groupingBy");

    private static final Set<String> HOLDING =
            Set.of("java/util/ArrayList", "java/util/LinkedList", "java/util/ArrayDeque");
    private static final Set<String> COMPARING = Set.of(
            "java/util/HashMap",
            "java/util/LinkedHashMap",
            "java/util/TreeMap",
            "java/util/HashSet",
            "java/util/LinkedHashSet",
            "java/util/TreeSet");

    /** Collectors that call the functions that they are given, and collect the results. */
    private static final Set<String> CALLING = Set.of(
            "summingInt",
            "summingLong",
            "summingDouble",
            "averagingInt",
            "averagingLong",
            "averagingDouble",
            "summarizingInt",
            "summarizingLong",
            "summarizingDouble",
            "reducing",
            "partitioningBy",
            "filtering",
            "collectingAndThen",
            "toCollection",
            "minBy",
            "maxBy");

    private final Method method;
    private final StreamFunctions functions;
    private final Pipeline pipeline;
    private final StreamReads places;
    private int calling = -1;
    private int givenTo = -1;
    private int operand = -1;

    CollectorEffects(Method method, StreamFunctions functions, Pipeline pipeline, StreamReads places) {
        this.method = method;
        this.functions = functions;
        this.pipeline = pipeline;
        this.places = places;
    }

    /** Adds the effects of the comparator of a stage. */
    void addComparator(Pipeline.Stage stage, int made) throws Refused {
        addComparator(stage, made, elements(stage));
    }

    /** Refuses a stage that compares its elements, if those are no values. */
    void checkElements(Pipeline.Stage stage) throws Refused {
        checkValue(stage, elements(stage));
    }

    /** Adds the effects of a stage that is given a container, and functions that put elements into it. */
    void addContainer(Pipeline.Stage stage) throws Refused {
        addSupplier(stage, stage.functions().get(0), elements(stage));
        Function container = functions.of(stage.functions().get(0));
        Function accumulator = functions.of(stage.functions().get(1));
        boolean isOwn = container != null
                && accumulator != null
                && accumulator.captured() == 0
                && accumulator.target().owner.equals(container.target().owner);
        if (!isOwn) {
            addFunction(stage, stage.functions().get(1));
        }
    }

    /** Adds the effects of the collector of a stage. */
    void add(Pipeline.Stage stage, int made) throws Refused {
        add(stage, made, elements(stage), true);
    }

    /**
     * Adds the effects of a collector but for a function that makes remote calls; refuses it if it may call that function otherwise
     * than once for each element.
     */
    void add(Pipeline.Stage stage, int made, int function) throws Refused {
        calling = function;
        add(stage, made);
        if (givenTo < 0) {
            throw method.refused(
                    Rule.R69,
                    stage.op(),
                    "the collector may call the function otherwise than once for each element",
                    "call it in map, and collect the results");
        }
    }

    /** The op that makes the collector which is given the function that calls. */
    int givenTo() {
        return givenTo;
    }

    /** The number of that function among the arguments of that op. */
    int operand() {
        return operand;
    }

    private void add(Pipeline.Stage stage, int made, @Nullable Type elements, boolean isEach) throws Refused {
        MethodInsnNode call = made >= 0 && method.op(made) instanceof InsnOp op ? op.method() : null;
        if (call == null || !call.owner.equals("java/util/stream/Collectors")) {
            throw unknown(stage, "the collector");
        }
        if (ON_VALUES.contains(call.name)) {
            checkValue(stage, elements);
        } else if (KEYED.contains(call.name)) {
            checkValue(stage, resultOf(made, 0));
            addArguments(stage, made, call, elements, isEach);
        } else if (call.name.equals("mapping")) {
            addArguments(stage, made, call, resultOf(made, 0), isEach);
        } else if (CALLING.contains(call.name)) {
            addArguments(stage, made, call, elements, isEach);
        } else if (!QUIET.contains(call.name)) {
            throw unknown(stage, "Collectors." + call.name);
        }
    }

    /**
     * Adds the effects of the arguments of a collector: functions are called, collectors get elements, the rest is
     * values.
     */
    private void addArguments(
            Pipeline.Stage stage, int made, MethodInsnNode call, @Nullable Type elements, boolean isEach)
            throws Refused {
        Type[] types = Type.getArgumentTypes(call.desc);
        Type keys = KEYED.contains(call.name) ? resultOf(made, 0) : elements;
        for (int i = 0; i < types.length; i++) {
            int argument = origin(made, i);
            if (argument >= 0 && argument == calling) {
                givenTo = isEach && isCalledOnce(call.name, i, types.length) ? made : -1;
                operand = i;
            } else if (isIdentity(argument)) {
                continue;
            } else if (types[i].getInternalName().equals("java/util/stream/Collector")) {
                add(stage, argument, elements, isEach && !call.name.equals("filtering"));
            } else if (types[i].getInternalName().equals("java/util/function/Supplier")) {
                addSupplier(stage, argument, keys);
            } else if (types[i].getInternalName().startsWith("java/util/function/")) {
                addFunction(stage, argument);
            } else if (types[i].getInternalName().equals("java/util/Comparator")) {
                addComparator(stage, argument, elements);
            }
        }
    }

    /** Whether a collector calls an argument once for each element that it is given, in the order of the elements. */
    private static boolean isCalledOnce(String collector, int argument, int arguments) {
        return switch (collector) {
            case "toMap", "toUnmodifiableMap" -> argument < 2;
            case "reducing" -> argument == 1 && arguments == 3;
            case "groupingBy", "partitioningBy", "mapping", "filtering" -> argument == 0;
            default ->
                collector.startsWith("summing")
                        || collector.startsWith("averaging")
                        || collector.startsWith("summarizing");
        };
    }

    private boolean isIdentity(int made) {
        return made >= 0
                && method.op(made) instanceof InsnOp op
                && op.method() != null
                && op.method().owner.equals("java/util/function/Function")
                && op.method().name.equals("identity");
    }

    /** Containers are made by a constructor of the JDK: other code may give one that calls unknown code. */
    private void addSupplier(Pipeline.Stage stage, int made, @Nullable Type elements) throws Refused {
        Function function = functions.of(made);
        String container = function == null || !function.isNew() ? "" : function.target().owner;
        if (COMPARING.contains(container)) {
            checkValue(stage, elements);
        } else if (!HOLDING.contains(container)) {
            throw unknown(stage, "the container that it collects to");
        }
    }

    private void addComparator(Pipeline.Stage stage, int made, @Nullable Type elements) throws Refused {
        boolean isNatural = made >= 0
                && method.op(made) instanceof InsnOp op
                && op.method() != null
                && op.method().owner.equals("java/util/Comparator")
                && List.of("naturalOrder", "reverseOrder").contains(op.method().name);
        MethodInsnNode by = keyed(made);
        if (isNatural) {
            checkValue(stage, elements);
        } else if (by != null) {
            if (by.name.equals("comparing")) {
                checkValue(stage, resultOf(made, 0));
            }
            addFunction(stage, origin(made, 0));
        } else {
            addFunction(stage, made);
        }
    }

    /** The call that makes a comparator by the keys that a function gives, null if an op makes another one. */
    private @Nullable MethodInsnNode keyed(int made) {
        MethodInsnNode call = made >= 0 && method.op(made) instanceof InsnOp op ? op.method() : null;
        return call != null
                        && call.owner.equals("java/util/Comparator")
                        && call.name.startsWith("comparing")
                        && Type.getArgumentTypes(call.desc).length == 1
                ? call
                : null;
    }

    private void addFunction(Pipeline.Stage stage, int made) throws Refused {
        places.add(stage, made, functions.effect(stage, made));
    }

    private void checkValue(Pipeline.Stage stage, @Nullable Type type) throws Refused {
        if (type == null || !method.effects().isQuiet(type)) {
            throw unknown(stage, "hashCode, equals or toString of what it collects");
        }
    }

    /** The type of the elements that come to a stage, null if it is not known. */
    private @Nullable Type elements(Pipeline.Stage stage) {
        Type found = null;
        for (Pipeline.Stage before : pipeline.before(stage)) {
            boolean makes = StreamNames.MAPPING.contains(before.name());
            boolean isFlat = StreamNames.FLATTENING.contains(before.name());
            if (before.name().equals("boxed")) {
                continue;
            }
            Function function = before.functions().isEmpty()
                    ? null
                    : functions.of(before.functions().get(0));
            if (makes || isFlat) {
                found = isFlat || function == null ? null : function.type().getReturnType();
            } else if (function != null && before.name().equals("filter")) {
                found = function.type().getArgumentTypes()[0];
            }
        }
        return found;
    }

    private @Nullable Type resultOf(int made, int argument) {
        int of = origin(made, argument);
        boolean isKey = method.op(made) instanceof InsnOp op
                && op.method() != null
                && op.method().name.startsWith("to");
        if (isKey && isIdentity(of)) { // the other function has cast the element before it is a key
            Function value = functions.of(origin(made, 1));
            return value == null ? null : value.type().getArgumentTypes()[0];
        }
        Function function = functions.of(of);
        return function == null ? null : function.type().getReturnType();
    }

    private int origin(int made, int argument) {
        return method.whole().origin(made, method.op(made).uses().get(argument));
    }

    private Refused unknown(Pipeline.Stage stage, String what) {
        return method.refused(
                Rule.R69, stage.op(), what + " may call code that the agent does not know", "collect to a list");
    }
}
