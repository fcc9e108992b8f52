package dev.cleave.testing;

import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** A change of one method of a class file, as of a mistake in its source. */
public final class MethodChange implements UnaryOperator<byte[]> {

    private final String method;
    private final Editing editing;
    private int edits;

    /** Makes what edits the code of a method. */
    @FunctionalInterface
    private interface Editing {

        MethodVisitor around(MethodVisitor next, MethodChange change);
    }

    private MethodChange(String method, Editing editing) {
        this.method = method;
        this.editing = editing;
    }

    /** The n-th conditional jump of a method, from 1, is never taken: the code behind it runs. */
    public static MethodChange neverJumps(String method, int n) {
        return new MethodChange(method, (next, change) -> new Editor(next) {
            private int jumps;

            @Override
            public void visitJumpInsn(int opcode, Label label) {
                boolean isConditional = opcode != Opcodes.GOTO;
                if (!isConditional || ++jumps != n) {
                    super.visitJumpInsn(opcode, label);
                    return;
                }
                change.edits++;
                boolean takesTwo = opcode >= Opcodes.IF_ICMPEQ && opcode <= Opcodes.IF_ACMPNE;
                super.visitInsn(takesTwo ? Opcodes.POP2 : Opcodes.POP);
            }
        });
    }

    /** The n-th small constant of a method with some value, from 1, has another one. */
    public static MethodChange constant(String method, int from, int n, int to) {
        return new MethodChange(method, (next, change) -> new Editor(next) {
            private int seen;

            @Override
            public void visitInsn(int opcode) {
                if (opcode != Opcodes.ICONST_0 + from || ++seen != n) {
                    super.visitInsn(opcode);
                    return;
                }
                change.edits++;
                super.visitIntInsn(Opcodes.BIPUSH, to);
            }
        });
    }

    /** The n-th return of a method without result, from 1, is left out: the code behind it runs. */
    public static MethodChange goesOn(String method, int n) {
        return new MethodChange(method, (next, change) -> new Editor(next) {
            private int returns;

            @Override
            public void visitInsn(int opcode) {
                if (opcode == Opcodes.RETURN && ++returns == n) {
                    change.edits++;
                } else {
                    super.visitInsn(opcode);
                }
            }
        });
    }

    /** Runs further code before the method calls another one. The code leaves the stack as it is. */
    public static MethodChange before(String method, String called, Consumer<MethodVisitor> code) {
        return new MethodChange(method, (next, change) -> new Editor(next) {
            @Override
            public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
                if (name.equals(called)) {
                    change.edits++;
                    code.accept(next);
                }
                super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
            }
        });
    }

    /** Runs further code before the method writes a field of its object. The code leaves the stack as it is. */
    public static MethodChange beforeWrite(String method, String field, Consumer<MethodVisitor> code) {
        return new MethodChange(method, (next, change) -> new Editor(next) {
            @Override
            public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
                if (opcode == Opcodes.PUTFIELD && name.equals(field)) {
                    change.edits++;
                    code.accept(next);
                }
                super.visitFieldInsn(opcode, owner, name, descriptor);
            }
        });
    }

    /** Runs further code before each return of a method without result. */
    public static MethodChange last(String method, Consumer<MethodVisitor> code) {
        return new MethodChange(method, (next, change) -> new Editor(next) {
            @Override
            public void visitInsn(int opcode) {
                if (opcode == Opcodes.RETURN) {
                    change.edits++;
                    code.accept(next);
                }
                super.visitInsn(opcode);
            }
        });
    }

    /** Calls another method of the same object, with the same types, in the place of one. */
    public static MethodChange calls(String method, String called, String other) {
        return new MethodChange(method, (next, change) -> new Editor(next) {
            @Override
            public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
                boolean isChanged = name.equals(called);
                change.edits += isChanged ? 1 : 0;
                super.visitMethodInsn(opcode, owner, isChanged ? other : name, descriptor, isInterface);
            }
        });
    }

    /** A call of a method without result is left out, wherever the method makes it. */
    public static MethodChange omits(String method, String called) {
        return new MethodChange(method, (next, change) -> new Editor(next) {
            @Override
            public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
                if (!name.equals(called)) {
                    super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
                    return;
                }
                change.edits++;
                Type[] arguments = Type.getArgumentTypes(descriptor);
                for (int i = arguments.length - 1; i >= 0; i--) {
                    super.visitInsn(arguments[i].getSize() == 2 ? Opcodes.POP2 : Opcodes.POP);
                }
                if (opcode != Opcodes.INVOKESTATIC) {
                    super.visitInsn(Opcodes.POP);
                }
            }
        });
    }

    /** The number that a called method returns, a long, is changed by an operation with a constant. */
    public static MethodChange result(String method, String called, long constant, int operation) {
        return new MethodChange(method, (next, change) -> new Editor(next) {
            @Override
            public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
                super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
                if (name.equals(called)) {
                    change.edits++;
                    super.visitLdcInsn(constant);
                    super.visitInsn(operation);
                }
            }
        });
    }

    /** Another constant of the same enum is read. */
    public static MethodChange reads(String method, String from, String to) {
        return new MethodChange(method, (next, change) -> new Editor(next) {
            @Override
            public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
                boolean isChanged = opcode == Opcodes.GETSTATIC && name.equals(from);
                change.edits += isChanged ? 1 : 0;
                super.visitFieldInsn(opcode, owner, isChanged ? to : name, descriptor);
            }
        });
    }

    /** An operation is followed by one with a constant, a long. */
    public static MethodChange after(String method, int opcode, long constant, int operation) {
        return new MethodChange(method, (next, change) -> new Editor(next) {
            @Override
            public void visitInsn(int each) {
                super.visitInsn(each);
                if (each == opcode) {
                    change.edits++;
                    super.visitLdcInsn(constant);
                    super.visitInsn(operation);
                }
            }
        });
    }

    /** The method does nothing, and returns nothing, false or its object, by the kind of return. */
    public static MethodChange returnsAtOnce(String method, int returnOpcode) {
        return new MethodChange(method, (next, change) -> new Editor(next) {
            @Override
            public void visitCode() {
                super.visitCode();
                change.edits++;
                if (returnOpcode == Opcodes.IRETURN) {
                    super.visitInsn(Opcodes.ICONST_0);
                } else if (returnOpcode == Opcodes.ARETURN) {
                    super.visitVarInsn(Opcodes.ALOAD, 0);
                }
                super.visitInsn(returnOpcode);
                super.visitMaxs(0, 0);
                super.visitEnd();
                mv = null; // the other code is left out
            }
        });
    }

    /** This change and another one of the same class. */
    public UnaryOperator<byte[]> and(MethodChange other) {
        return bytes -> other.apply(apply(bytes));
    }

    @Override
    public byte[] apply(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String descriptor, String signature, String[] exceptions) {
                        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
                        boolean isHere = name.equals(method) && (access & Opcodes.ACC_BRIDGE) == 0;
                        return isHere ? editing.around(next, MethodChange.this) : next;
                    }
                },
                0);
        if (edits == 0) {
            throw new IllegalStateException(method + " in " + reader.getClassName() + " is not as the defect expects");
        }
        return writer.toByteArray();
    }

    /** Passes on what it does not edit. */
    private abstract static class Editor extends MethodVisitor {

        Editor(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }
    }
}
