package dev.cleave.agent.transform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.RmiMention;
import java.rmi.Naming;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteObject;
import java.rmi.server.ServerNotActiveException;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import javax.naming.Context;
import javax.naming.InitialContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

@Tag("one-jdk")
class RmiRewriterTest {

    private static final String CALLS = CoreNames.RMI_CALLS;

    interface Bell extends Remote {

        String ring() throws RemoteException;
    }

    static class Direct extends UnicastRemoteObject implements Bell {

        private static final long serialVersionUID = 1;

        Direct(int port) throws RemoteException {
            super(port);
        }

        Direct() throws RemoteException {
            this(0);
        }

        @Override
        public String ring() throws RemoteException {
            try {
                return getClientHost();
            } catch (ServerNotActiveException e) {
                return "nobody";
            }
        }

        void stop() throws RemoteException {
            unexportObject(this, true);
        }
    }

    static class Derived extends Direct {

        private static final long serialVersionUID = 1;

        Derived() throws RemoteException {
            super(0);
        }

        void end() throws RemoteException {
            unexportObject(this, false);
        }
    }

    static class WithFactories extends UnicastRemoteObject {

        private static final long serialVersionUID = 1;

        WithFactories() throws RemoteException {
            super(0, null, null);
        }
    }

    static class User {

        Object all(Context context) throws Exception {
            Registry registry = LocateRegistry.createRegistry(0);
            registry.rebind("x", UnicastRemoteObject.exportObject(new WithFactories(), 0));
            registry.lookup("x");
            Naming.lookup("x");
            LocateRegistry.createRegistry(0, null, null);
            UnicastRemoteObject.exportObject(new WithFactories(), 0, null, null);
            context.rebind("rmi://x/y", new WithFactories());
            RemoteObject.toStub(InitialContext.doLookup("rmi://x/y"));
            return context.lookup("rmi://x/y");
        }
    }

    interface Finder {

        Remote find(String name) throws RemoteException, NotBoundException;
    }

    static class Referring {

        Finder finder(Registry registry) {
            return registry::lookup;
        }
    }

    static class Unconcerned {

        static boolean unexportObject(Remote object, boolean force) {
            return force;
        }

        boolean all(Context context) throws Exception {
            return unexportObject(null, true) && context.lookup("x") != null;
        }
    }

    private static byte[] file(Class<?> type) {
        return ClassFileSource.ofResources(type.getClassLoader(), type.getName().replace('.', '/'));
    }

    private static byte[] rewritten(Class<?> type) {
        return new RmiRewriter(name -> ClassFileSource.ofResources(RmiRewriterTest.class.getClassLoader(), name))
                .rewritten(file(type));
    }

    /** The calls of a class of owners of RMI, of naming and of the core. */
    private static List<String> calls(byte[] file) {
        List<String> calls = new ArrayList<>();
        new ClassReader(file)
                .accept(
                        new ClassVisitor(Opcodes.ASM9) {
                            @Override
                            public MethodVisitor visitMethod(
                                    int access, String name, String descriptor, String signature, String[] thrown) {
                                return new MethodVisitor(Opcodes.ASM9) {
                                    @Override
                                    public void visitMethodInsn(
                                            int opcode, String owner, String method, String type, boolean isOf) {
                                        if (!owner.startsWith("dev/cleave/agent")) {
                                            calls.add(owner.substring(owner.lastIndexOf('/') + 1) + "." + method);
                                        }
                                    }
                                };
                            }
                        },
                        0);
        return calls;
    }

    @Test
    void exportsInConstructorsAreFollowedByThoseOfCleave() {
        byte[] made = rewritten(Direct.class);

        assertThat(calls(made))
                .containsExactly(
                        "RmiCalls.prepare",
                        "UnicastRemoteObject.<init>",
                        "RmiCalls.exported",
                        "RmiCalls.getClientHost",
                        "RmiCalls.unexportObject");
    }

    @Test
    void inheritedStaticMethodsAreFoundThroughClassesOfTheProgram() {
        assertThat(calls(rewritten(Derived.class))).containsExactly("RmiCalls.unexportObject");
    }

    @Test
    void lookupsAndExportsWithoutFactoriesAreReplaced() {
        assertThat(calls(rewritten(User.class)))
                .containsExactly(
                        "Object.<init>",
                        "RmiCalls.createRegistry",
                        "RmiCalls.exportObject",
                        "RmiCalls.rebind",
                        "RmiCalls.lookup",
                        "RmiCalls.lookup",
                        "LocateRegistry.createRegistry",
                        "UnicastRemoteObject.exportObject",
                        "RmiCalls.given",
                        "Context.rebind",
                        "InitialContext.doLookup",
                        "RmiCalls.found",
                        "RmiCalls.toStub",
                        "Context.lookup",
                        "RmiCalls.found");
    }

    @Test
    void methodReferencesAreReplaced() {
        List<String> references = new ArrayList<>();
        new ClassReader(rewritten(Referring.class))
                .accept(
                        new ClassVisitor(Opcodes.ASM9) {
                            @Override
                            public MethodVisitor visitMethod(
                                    int access, String name, String descriptor, String signature, String[] thrown) {
                                return new MethodVisitor(Opcodes.ASM9) {
                                    @Override
                                    public void visitInvokeDynamicInsn(
                                            String method, String type, Handle bootstrap, Object... constants) {
                                        references.add(constants[1].toString());
                                    }
                                };
                            }
                        },
                        0);

        assertThat(references)
                .contains(CALLS + ".lookup(Ljava/rmi/registry/Registry;Ljava/lang/String;)Ljava/rmi/Remote; (6)");
    }

    @Test
    void whatExportsWithFactoriesStays() {
        assertThat(rewritten(WithFactories.class)).isNull();
    }

    @Test
    void methodsOfOtherClassesWithTheSameNamesStay() {
        byte[] made = rewritten(Unconcerned.class);

        assertThat(calls(made)).doesNotContain("RmiCalls.unexportObject");
    }

    @Test
    void classesWithoutRmiAreNotLookedAt() {
        assertThat(RmiMention.isIn(file(String.class))).isFalse();
        assertThat(RmiMention.isIn(file(Bell.class))).isTrue();
        assertThat(RmiMention.isIn(new byte[] {1, 2, 3})).isFalse();
        assertThat(CALLS).isEqualTo("dev/cleave/rmi/RmiCalls");
    }
}
