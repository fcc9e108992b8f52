package dev.cleave.agent.plan.order;

import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.method.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.signature.SignatureReader;
import org.objectweb.asm.signature.SignatureVisitor;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The elements of collections that remote calls return (R43): they are of the type that the interface declares, because what arrives is
 * checked against it.
 */
final class ResultElements {

    private final Method method;

    ResultElements(Method method) {
        this.method = method;
    }

    /** Whether a register holds, before an op, a collection that a remote call has returned, whose elements run no code of the program. */
    boolean areQuiet(int index, Register register) {
        int made = method.whole().origin(index, register);
        if (made < 0 || method.helper(made) != null || method.effects().settingOf(method.op(made)) == null) {
            return false;
        }
        Type element = element(method.callOf(made));
        return element != null && method.effects().isQuiet(element);
    }

    /** The declared type of the elements of what a remote method returns, null if it declares none. */
    private @Nullable Type element(MethodInsnNode call) {
        ClassNode owner = method.helpers().effects().classOf(call.owner);
        for (MethodNode each : owner == null ? List.<MethodNode>of() : owner.methods) {
            if (each.name.equals(call.name) && each.desc.equals(call.desc) && each.signature != null) {
                ReturnType type = new ReturnType();
                new SignatureReader(each.signature).accept(type);
                return type.arguments.size() == 1 ? type.arguments.get(0) : null;
            }
        }
        return null;
    }

    /** Reads the type arguments of the type that a method returns; those that are no plain class count as objects. */
    private static final class ReturnType extends SignatureVisitor {

        final List<Type> arguments = new ArrayList<>();

        ReturnType() {
            super(Opcodes.ASM9);
        }

        @Override
        public SignatureVisitor visitReturnType() {
            return new SignatureVisitor(Opcodes.ASM9) {
                @Override
                public SignatureVisitor visitTypeArgument(char wildcard) {
                    arguments.add(Type.getType(Object.class));
                    return new SignatureVisitor(Opcodes.ASM9) {
                        @Override
                        public void visitClassType(String name) {
                            if (wildcard != SUPER) {
                                arguments.set(arguments.size() - 1, Type.getObjectType(name));
                            }
                        }

                        @Override
                        public void visitInnerClassType(String name) {
                            arguments.set(arguments.size() - 1, Type.getType(Object.class));
                        }

                        @Override
                        public SignatureVisitor visitArrayType() {
                            return new SignatureVisitor(Opcodes.ASM9) {};
                        }

                        @Override
                        public SignatureVisitor visitTypeArgument(char of) {
                            return new SignatureVisitor(Opcodes.ASM9) {};
                        }
                    };
                }

                @Override
                public SignatureVisitor visitArrayType() {
                    return new SignatureVisitor(Opcodes.ASM9) {};
                }
            };
        }
    }
}
