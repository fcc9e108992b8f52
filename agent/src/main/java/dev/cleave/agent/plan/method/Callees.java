package dev.cleave.agent.plan.method;

import dev.cleave.agent.effect.Effects;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.plan.verdict.Refusal;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Answers questions about the methods that a method of a class calls: their code, and which of them are helpers. */
public interface Callees {

    /** The code of a method of the class; the same object each time. */
    MethodBody body(MethodNode method) throws Unsupported;

    /** Other code that a method of the class could have; made anew each time. */
    public abstract MethodBody build(MethodNode method) throws Unsupported;

    /** Whether a call calls a remote method. */
    public abstract boolean isRemote(MethodInsnNode call);

    /** A method of the class, to plan in. */
    Method method(MethodBody body);

    /** The method of the class that a call names, null if it names none. */
    @Nullable
    MethodNode targetOf(MethodInsnNode call);

    /** Whether no class can override a method of the class. */
    boolean isFinal(MethodNode method);

    /** Internal name of the class if objects can be of it and no other, null if it is abstract. */
    @Nullable
    String exact();

    /**
     * The method with remote calls of another class that a call calls, if its object is of the class that is expected: for an
     * interface, of the one class that implements it and calls remote methods. Null if there is none.
     */
    @Nullable
    Callee elsewhere(MethodInsnNode call);

    /** The lambda expressions with remote calls that a call gives to a method which only calls them, null if it gives none. */
    @Nullable
    FunctionCall functions(MethodInsnNode call);

    /** Whether a lambda expression is given in such a call. */
    boolean isGiven(MethodInsnNode lambda);

    /** The call that is given a function, in whose place the code of the function is known; null if there is none. */
    @Nullable
    MethodInsnNode userOf(Function function);

    /** Why a lambda expression that is given to a method of the program stays; null if there is no reason. */
    @Nullable
    Refusal functionRefusal(MethodInsnNode lambda);

    /** Returns the callees of the class that declares such a method. */
    Callees calleesOf(Callee callee);

    /** Keeps an object of some kind for the class: the same one each time. */
    <T> T kept(Class<T> kind, Supplier<T> make);

    /** The effects of instructions and methods. */
    Effects effects();

    /** Whether a method of the class could not be rewritten as planned: it is no helper, and has no strands. */
    boolean isExcluded(MethodNode method);

    /** The helper that a call certainly calls, null if it calls none. */
    @Nullable
    Helper of(MethodInsnNode call);

    /** The helper whose calls are prefetched that a call certainly calls, null if it calls none. */
    @Nullable
    PrefetchHelper prefetching(MethodInsnNode call);

    /** Why the called method, which calls remote methods, is no helper; null if there is no reason. */
    @Nullable
    Refusal refusal(MethodInsnNode call);

    /** Whether a call calls a method of the program that calls remote methods. */
    boolean hidesRemote(MethodInsnNode call);

    /**
     * Notes why the calls of a method, and of those of its class that it calls, are not sent ahead where it is used.
     *
     * @param isRepeated whether it is used in a loop, which matters more than elsewhere
     */
    void note(MethodInsnNode call, Refusal why, boolean isRepeated);
}
