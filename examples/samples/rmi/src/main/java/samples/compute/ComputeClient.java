package samples.compute;

import java.io.Serializable;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;

public class ComputeClient {

    /** A task that keeps something that cannot be sent. */
    private static class Stuck implements Task<String>, Serializable {

        private static final long serialVersionUID = 1;

        private final Object held = new Object();

        @Override
        public String execute() {
            return held.toString();
        }
    }

    public static void main(String[] args) throws Exception {
        Registry registry = LocateRegistry.getRegistry("localhost", Integer.parseInt(args[0]));
        Compute engine = (Compute) registry.lookup("Compute");
        System.out.println(engine.executeTask(new Pi(45)));
        System.out.println(engine.executeTask(new Primes(90, 130)));
        try {
            engine.executeTask(new Primes(2, 1));
        } catch (IllegalStateException e) {
            System.out.println("failed: " + e.getMessage());
        }
        try {
            engine.executeTask(new Stuck());
        } catch (java.rmi.MarshalException e) {
            System.out.println(e.getClass().getName() + ", "
                    + e.getCause().getClass().getName() + ": " + e.getCause().getMessage());
        }
        try {
            engine.executeTask(null);
        } catch (NullPointerException e) {
            System.out.println("no task: " + e.getClass().getName());
        }
        Task<String> lambda = (Task<String> & Serializable) () -> "made by a lambda";
        System.out.println(engine.executeTask(lambda));
    }
}
