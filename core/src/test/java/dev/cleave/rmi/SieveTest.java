package dev.cleave.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.cleave.serial.Passing;
import dev.cleave.serial.TypePolicy;
import java.io.ByteArrayOutputStream;
import java.io.InvalidClassException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.Label;

@Tag("one-jdk")
class SieveTest {

    private static final TypePolicy POLICY = TypePolicy.of(new JavaFormat());

    public interface Shop extends Remote {

        Object any(Object value) throws RemoteException;
    }

    private record Own(String name) implements Serializable {}

    private static final class Broken extends RuntimeException {

        private static final long serialVersionUID = 1;
    }

    private static Object passed(Object value) throws Exception {
        MarshalOut out = MarshalOut.begin(POLICY, Passing.NONE, false);
        out.put(value);
        return read(out.end());
    }

    private static Object read(byte[] bytes) throws Exception {
        return new MarshalIn.Values(bytes, Shop.class.getClassLoader(), OwnTypes.of(Shop.class), reference -> reference)
                .take();
    }

    @Test
    void valuesOfTheJdkAndOfTheProgramPass() throws Exception {
        Map<String, List<Own>> value = new HashMap<>(Map.of("k", new ArrayList<>(List.of(new Own("a")))));

        assertThat(passed(value)).isEqualTo(value);
        assertThat(passed(new int[][] {{1}, {2, 3}})).isEqualTo(new int[][] {{1}, {2, 3}});
        assertThat(passed(new Broken())).isInstanceOf(Broken.class);
    }

    @Test
    void stubsOfRegistriesAndProxiesWhoseFirstInterfaceIsOfTheJdkPass() throws Exception {
        Object registry = LocateRegistry.getRegistry("localhost", 1);
        InvocationHandler handler = new RemoteObjectInvocationHandler(((RemoteObject) registry).getRef());
        Class<?>[] interfaces = {Remote.class, Shop.class};
        Object stub = Proxy.newProxyInstance(Shop.class.getClassLoader(), interfaces, handler);

        assertThat(passed(registry)).isEqualTo(registry);
        assertThat(passed(stub)).isEqualTo(stub).isInstanceOf(Shop.class);
    }

    @Test
    void singleClassesOfPackagesThatHoldMoreThanValuesPass() throws Exception {
        assertThat(passed(Level.CONFIG)).isSameAs(Level.CONFIG);
        assertThat(passed(new SecretKeySpec(new byte[] {1}, "X"))).isEqualTo(new SecretKeySpec(new byte[] {1}, "X"));
    }

    @Test
    void aClassOfALibraryThatNothingNamesIsRefusedByName() throws Exception {
        String name = "org.junit.platform.engine.support.descriptor.ClassSource";
        Object ofLibrary = Class.forName(name).getMethod("from", String.class).invoke(null, "a.B");

        assertThatExceptionOfType(InvalidClassException.class)
                .isThrownBy(() -> passed(ofLibrary))
                .withMessageContaining(name)
                .withMessageContaining("-Dcleave.rmi.filter");
    }

    @Test
    void aClassOfTheJdkThatIsNoValueIsRefused() {
        assertThatExceptionOfType(InvalidClassException.class)
                .isThrownBy(() -> passed(new javax.management.Attribute("a", 1)))
                .withMessageContaining("javax.management.Attribute");
    }

    @Test
    void anArrayThatItsMessageCannotHoldIsRefusedBeforeItIsMade() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new long[1]);
        }
        byte[] form = bytes.toByteArray();
        int length = form.length - Long.BYTES - Integer.BYTES;
        form[length] = 0x7f; // two thousand million elements

        assertThatExceptionOfType(InvalidClassException.class)
                .isThrownBy(() -> read(form))
                .withMessageContaining("elements");
    }

    @Test
    void aClassThatCannotBeSerializedIsNotWritten() {
        MarshalOut out = MarshalOut.begin(POLICY, Passing.NONE, false);

        assertThatExceptionOfType(java.io.NotSerializableException.class).isThrownBy(() -> out.put(new Label()));
        assertThat(MarshalOut.isWriting()).isFalse();
    }
}
