package dev.cleave.agent.effect;

import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.scan.CallSetting;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Finds the effect of a method call: of remote methods by their style, of JDK methods by the table, of methods of the
 * program by reading them.
 */
final class Calls {

    private static final List<String> FINAL_BUILDERS = List.of("java/lang/StringBuilder", "java/lang/String");

    /** Types of which a value of the JDK may be. */
    private static final Set<String> MAYBE_VALUES =
            Set.of("java/lang/Object", "java/lang/Comparable", "java/lang/CharSequence", "java/lang/Number");

    private static final String THROWABLE = "java/lang/Throwable";
    private static final Set<String> EXCEPTIONS = Set.of("Exception", "Error", "Throwable");

    private final RemoteCalls remote;
    private final JdkTable table;
    private final MethodSummaries summaries;
    private final Fields fields;

    Calls(RemoteCalls remote, JdkTable table, Fields fields) {
        this.remote = remote;
        this.table = table;
        this.fields = fields;
        this.summaries = new MethodSummaries(fields, this);
    }

    /** The effect of initialising a class when code of {@code caller} is the first to use it. */
    Effect initialising(String owner, String caller) {
        return summaries.initialising(owner, caller, 0);
    }

    /** The effect of a call inside a called method; argument types are taken from the descriptor. */
    Effect nested(MethodInsnNode call, String caller, int depth) {
        Effect known = known(call, caller, null, null);
        return known != null ? known : summaries.of(call, null, caller, depth);
    }

    /** The effect of a call whose receiver is an object of the JDK that the calling method has just made. */
    Effect onNewObject(MethodInsnNode call, String caller, int depth) {
        String flags = table.flags(call.owner, call.name, call.desc);
        if (flags == null || remote.settingOf(call.owner, call.name, call.desc) != null) {
            return nested(call, caller, depth);
        }
        return fromFlags(call, caller, flags.replaceAll("[krwx]", ""), null, null);
    }

    /** The effect in the JDK's table of a method that a class of the program inherits, null if there is none. */
    @Nullable
    Effect inherited(String owner, MethodInsnNode call) {
        if (owner.equals(THROWABLE) && call.name.equals("getMessage")) {
            return Effect.THROWS; // the message never changes; a class of the program has no other one
        }
        String flags = table.flags(owner, call.name, call.desc);
        return flags == null || flags.indexOf('k') >= 0 ? null : fromFlags(call, "", flags, null, null);
    }

    /** Returns what the table says of a method of the JDK; exceptions have the rows of {@code Throwable}. */
    private @Nullable String flagsOf(MethodInsnNode call) {
        String flags = table.flags(call.owner, call.name, call.desc);
        boolean isException =
                flags == null && call.owner.startsWith("java/") && isNamedAsException(Type.getObjectType(call.owner));
        return isException ? table.flags(THROWABLE, call.name, call.desc) : flags;
    }

    /** The effect of a call of a method that a class of exceptions of the program inherits: a subclass may have another one. */
    @Nullable
    Effect ofException(MethodInsnNode call, Register receiver) {
        String flags = table.flags(THROWABLE, call.name, call.desc);
        return flags == null || flags.indexOf('v') < 0 || !isNamedAsException(Type.getObjectType(call.owner))
                ? null
                : Effect.THROWS.guarded(new Guard(Guard.Kind.VALUE, receiver, ""));
    }

    /** The effect of a call in the method itself. */
    Effect direct(MethodInsnNode call, String caller, List<Register> uses, StaticTypes.At types) {
        Effect known = known(call, caller, uses, types);
        return known != null ? known : summaries.of(call, uses.isEmpty() ? null : uses.get(0), caller, 0);
    }

    static Effect unknown(MethodInsnNode call) {
        boolean isJdk = call.owner.startsWith("java/") || call.owner.startsWith("javax/");
        return Effect.barrier(isJdk ? Barrier.Kind.UNKNOWN_JDK_CALL : Barrier.Kind.UNKNOWN_CALL, nameOf(call));
    }

    static String nameOf(MethodInsnNode call) {
        String owner = call.owner.substring(Math.max(call.owner.lastIndexOf('/'), call.owner.lastIndexOf('$')) + 1);
        return call.name.equals("<init>") ? "new " + owner : owner + "." + call.name;
    }

    private @Nullable Effect known(
            MethodInsnNode call, String caller, @Nullable List<Register> uses, StaticTypes.@Nullable At types) {
        if (OpaqueValue.isMarker(call)) {
            return Effect.NONE;
        }
        CallSetting setting = remote.settingOf(call.owner, call.name, call.desc);
        if (setting != null) {
            return Effect.barrier(barrier(setting.style()), nameOf(call));
        }
        if (Comparators.combines(call) && uses != null && types != null) {
            boolean isKnown = comparators(caller, types).of(uses.get(0)) != null;
            return isKnown ? Effect.THROWS.allocating() : unknown(call);
        }
        return switch (remote.trustIn(call.owner, call.name)) {
            case BENIGN -> Effect.THROWS.printing();
            case PURE -> reading(uses);
            case NONE -> {
                String flags = flagsOf(call);
                yield flags == null ? null : fromFlags(call, caller, flags, uses, types);
            }
        };
    }

    private static Barrier.Kind barrier(CallSetting.Style style) {
        return switch (style) {
            case SYNC, CALLS_BACK, REFERS, RESTORES -> Barrier.Kind.SYNC_CALL;
            case ASYNC -> Barrier.Kind.LOCAL_RECEIVER;
            case CHAINED -> Barrier.Kind.CHAINED_CALL;
            case ONE_WAY -> Barrier.Kind.ONE_WAY_CALL;
        };
    }

    private Effect fromFlags(
            MethodInsnNode call,
            String caller,
            String flags,
            @Nullable List<Register> uses,
            StaticTypes.@Nullable At types) {
        boolean isConfined = flags.indexOf('m') >= 0 && uses != null && types != null && types.isConfined(uses.get(0));
        if (flags.indexOf('s') >= 0 && !isConfined) {
            return Effect.barrier(Barrier.Kind.SYNCHRONISATION, nameOf(call));
        }
        if (flags.indexOf('i') >= 0) {
            return Effect.barrier(Barrier.Kind.INPUT_OUTPUT, nameOf(call));
        }
        if (flags.indexOf('n') >= 0) {
            return Effect.barrier(Barrier.Kind.TIME, nameOf(call));
        }
        List<Register> asked = flags.indexOf('u') >= 0 ? null : asked(call, flags, uses, types);
        if (asked == null) {
            return unknown(call);
        }
        boolean isStatic = call.getOpcode() == Opcodes.INVOKESTATIC;
        Register receiver = uses == null || isStatic || uses.isEmpty() ? null : uses.get(0);
        boolean mayBeNull = call.getOpcode() == Opcodes.INVOKEVIRTUAL || call.getOpcode() == Opcodes.INVOKEINTERFACE;
        Effect effect = flags.indexOf('t') >= 0 || mayBeNull ? Effect.THROWS : Effect.NONE;
        if (flags.indexOf('o') >= 0) {
            effect = effect.printing();
        }
        if (flags.indexOf('a') >= 0) {
            effect = effect.allocating();
        }
        if (flags.indexOf('A') >= 0) {
            effect = copying(uses);
        }
        if (flags.indexOf('r') >= 0) {
            effect = effect.reading(new Access(new HeapRegion.Contents(), receiver, null));
        }
        if (flags.indexOf('w') >= 0) {
            effect = effect.writing(new Access(new HeapRegion.Contents(), receiver, null));
        }
        if (flags.indexOf('x') >= 0) {
            effect = effect.writing(new Access(new HeapRegion.Cursor(), receiver, null));
        }
        if (flags.indexOf('k') >= 0 && !FINAL_BUILDERS.contains(call.owner)) {
            if (receiver == null) {
                return unknown(call);
            }
            effect = effect.guarded(new Guard(Guard.Kind.PLAIN, receiver, ""));
        }
        if (flags.indexOf('v') >= 0) {
            if (receiver == null) {
                return unknown(call);
            }
            effect = effect.guarded(new Guard(Guard.Kind.VALUE, receiver, ""));
        }
        if (flags.indexOf('p') >= 0) {
            effect = effect.and(ofFunction(call, caller, uses, types));
        }
        for (Register argument : asked) {
            effect = effect.guarded(new Guard(Guard.Kind.VALUE, argument, ""));
        }
        return withArguments(call, effect, flags, uses);
    }

    /**
     * The effect of the function that is the last argument of a call to the JDK, whatever arguments the JDK passes to
     * it.
     */
    private Effect ofFunction(
            MethodInsnNode call, String caller, @Nullable List<Register> uses, StaticTypes.@Nullable At types) {
        if (uses == null || types == null) {
            return unknown(call);
        }
        Register function = uses.get(uses.size() - 1);
        Type[] arguments = Type.getArgumentTypes(call.desc);
        if (arguments.length > 0 && Comparators.isOne(arguments[arguments.length - 1])) {
            return ofComparator(call, comparators(caller, types).of(function), uses);
        }
        MethodInsnNode target = types.functionOf(function);
        if (target == null) {
            return unknown(call);
        }
        Effect effect = nested(target, caller, 1);
        Barrier inner = effect.barrier();
        return inner == null ? effect.throwing() : Effect.barrier(inner.kind(), nameOf(call) + " > " + inner.what());
    }

    private Comparators comparators(String caller, StaticTypes.At types) {
        return new Comparators(types, function -> nested(function, caller, 1), this::isQuiet);
    }

    /** The effect of a call that compares the elements of its first operand. */
    private static Effect ofComparator(MethodInsnNode call, Comparators.@Nullable Order order, List<Register> uses) {
        if (order == null) {
            return unknown(call);
        }
        return order.asks()
                ? order.effect().guarded(new Guard(Guard.Kind.VALUE, uses.get(0), Guard.ELEMENTS))
                : order.effect();
    }

    /** Adds the effects on the arrays and collections that are passed to a method. */
    private static Effect withArguments(
            MethodInsnNode call, Effect known, String flags, @Nullable List<Register> uses) {
        Effect effect = known;
        Type[] arguments = Type.getArgumentTypes(call.desc);
        int first = call.getOpcode() == Opcodes.INVOKESTATIC ? 0 : 1;
        for (int i = 0; i < arguments.length; i++) {
            Register given = uses == null ? null : uses.get(first + i);
            if (flags.indexOf('K') >= 0
                    && arguments[i].getSort() == Type.OBJECT
                    && !ValueTypes.isValue(arguments[i])
                    && !Comparators.isOne(arguments[i])) {
                if (given == null) {
                    return unknown(call);
                }
                effect = effect.guarded(new Guard(Guard.Kind.PLAIN, given, ""))
                        .reading(new Access(new HeapRegion.Contents(), given, null));
                if (flags.indexOf('W') >= 0) {
                    effect = effect.writing(new Access(new HeapRegion.Contents(), given, null));
                }
                if (flags.indexOf('E') >= 0) {
                    effect = effect.guarded(new Guard(Guard.Kind.VALUE, given, Guard.ELEMENTS));
                }
            }
            if (arguments[i].getSort() == Type.ARRAY) {
                Access elements = new Access(new HeapRegion.Elements(kindOf(arguments[i])), given, null);
                effect = flags.indexOf('R') >= 0 ? effect.reading(elements) : effect;
                if (flags.indexOf('E') >= 0) {
                    if (given == null) {
                        return unknown(call);
                    }
                    effect = effect.guarded(new Guard(Guard.Kind.VALUE, given, Guard.ELEMENTS));
                }
                effect = flags.indexOf('W') >= 0 ? effect.writing(elements) : effect;
            }
        }
        return effect;
    }

    /** The kind of an array's elements, as in {@link HeapRegion.Elements}. */
    static char kindOf(Type array) {
        char kind = array.getDescriptor().charAt(1);
        return kind == 'L' || kind == '[' ? 'A' : kind == 'Z' ? 'B' : kind;
    }

    /** The effect of a method that reads its receiver and arguments, and all objects that they reach. */
    private static Effect reading(@Nullable List<Register> uses) {
        Effect effect = Effect.THROWS;
        if (uses == null) {
            return effect.reading(Access.of(new HeapRegion.Anything()));
        }
        for (Register use : uses) {
            if (use.kind() == RegisterKind.REFERENCE) {
                effect = effect.reading(Access.of(new HeapRegion.Anything(), use));
            }
        }
        return effect;
    }

    private static Effect copying(@Nullable List<Register> uses) {
        Register from = uses == null ? null : uses.get(0);
        Register to = uses == null ? null : uses.get(2);
        Effect effect = Effect.THROWS;
        for (char kind : "IJFDBCSA".toCharArray()) {
            effect = effect.reading(new Access(new HeapRegion.Elements(kind), from, null))
                    .writing(new Access(new HeapRegion.Elements(kind), to, null));
        }
        return effect;
    }

    /**
     * The arguments that the JDK calls methods of, if those may be the program's: they have to be values at run time.
     * Null if there is one that cannot be, or is not at hand.
     */
    private @Nullable List<Register> asked(
            MethodInsnNode call, String flags, @Nullable List<Register> uses, StaticTypes.@Nullable At types) {
        Type[] arguments = Type.getArgumentTypes(call.desc);
        int from = flags.indexOf('l') >= 0 ? arguments.length - 1 : 0;
        int to = flags.indexOf('c') >= 0 || flags.indexOf('l') >= 0
                ? arguments.length
                : flags.indexOf('f') >= 0 ? Math.min(1, arguments.length) : 0;
        int first = call.getOpcode() == Opcodes.INVOKESTATIC ? 0 : 1;
        List<Register> asked = new ArrayList<>();
        for (int i = from; i < to; i++) {
            Type type = arguments[i];
            if (!isQuiet(type) && uses != null && types != null) {
                Type found = types.typeOf(uses.get(first + i));
                type = found == null ? type : found;
            }
            if (!isQuiet(type)) {
                if (uses == null || !MAYBE_VALUES.contains(type.getInternalName()) && !isNamedAsException(type)) {
                    return null;
                }
                asked.add(uses.get(first + i));
            }
        }
        return asked;
    }

    /** Whether a type may be one of exceptions, going by its name: whether its objects are plain ones is tested. */
    private static boolean isNamedAsException(Type type) {
        return type.getSort() == Type.OBJECT && EXCEPTIONS.stream().anyMatch(type.getInternalName()::endsWith);
    }

    /** Whether equals, hashCode, compareTo and toString of a type's objects run no code of the program. */
    boolean isQuiet(Type type) {
        return ValueTypes.isValue(type) || fields.isPlainEnum(type) || fields.isPlainRecord(type);
    }
}
