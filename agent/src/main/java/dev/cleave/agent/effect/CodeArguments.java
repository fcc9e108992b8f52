package dev.cleave.agent.effect;

import java.util.Arrays;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;

/** Methods to which code is given, which they may run. */
public final class CodeArguments {

    private CodeArguments() {}

    /** Whether a parameter of a method is a functional interface of the JDK that its own methods run. */
    public static boolean hasAny(MethodInsnNode call) {
        return Arrays.stream(Type.getArgumentTypes(call.desc))
                .map(Type::getClassName)
                .anyMatch(type -> type.startsWith("java.util.function.")
                        || type.equals("java.util.Comparator")
                        || type.equals("java.lang.Runnable")
                        || type.equals("java.util.concurrent.Callable"));
    }
}
