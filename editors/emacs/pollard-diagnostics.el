;;; pollard-diagnostics.el --- Reduce to a diagnostic with Pollard  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Reduces a buffer to what still gets the diagnostic at point, and tells the
;; server what Emacs's own tools report about a candidate.
;;
;; Eglot gives a buffer one server, and Pollard takes the place of the one that
;; has reported the diagnostic.  So that server stays without buffers, and is
;; asked about candidates, as are the buffer's Flymake backends.

;;; Code:

(require 'cl-lib)
(require 'eglot)
(require 'flymake)
(require 'jsonrpc)
(require 'seq)
(require 'pollard-eglot)

(declare-function eglot--managed-buffers "eglot")
(declare-function eglot--managed-mode-off "eglot")
(declare-function eglot--project "eglot")
(declare-function eglot--signal-textDocument/didClose "eglot")

(defvar eglot--servers-by-project)
(defvar eglot-autoshutdown)

(defconst pollard-diagnostics--kind "refactor.rewrite.reduce.diagnostic"
  "The kind of the code actions that reduce to a diagnostic.")

(defconst pollard-diagnostics--later 'pollard-diagnostics--later
  "The result of a request that is answered later.")

(defconst pollard-diagnostics--settle-seconds 0.05
  "Diagnostics that have not changed for so long are those of the whole candidate.")

(defvar-local pollard-diagnostics--server nil
  "The language server that this buffer had before Pollard.")

(defvar-local pollard-diagnostics--backends nil
  "The Flymake backends that this buffer had before Pollard.")

(defvar pollard-diagnostics--waiting (make-hash-table :test #'equal)
  "The functions that take what a server publishes, by the URIs of candidates.")

(defvar pollard-diagnostics--asked nil
  "The parameters of the request that is being received.")

(defvar pollard-diagnostics--count 0
  "How many candidates Emacs was asked about.")


;;; The command

;;;###autoload
(defun pollard-reduce-diagnostic ()
  "Reduce the buffer to what still gets the diagnostic at point.
Show what must still be reported first; you may edit it."
  (interactive)
  (let ((shown (mapcar #'pollard-diagnostics--of-protocol (flymake-diagnostics (point)))))
    (unless shown
      (user-error "There is no diagnostic here"))
    (pollard-diagnostics--keep-tools)
    (pollard-eglot-ensure)
    (let* ((offers (pollard-diagnostics--offers shown))
           (names (mapcar #'car offers))
           (name (if (cdr names) (completing-read "Diagnostic: " names nil t) (car names)))
           (wanted (read-string "Must still be reported (… is any name or number): "
                                (cdr (assoc name offers)))))
      (pollard-eglot-request "pollard.reduce" :diagnostic (string-trim wanted)))))

(defun pollard-diagnostics--offers (shown)
  "Return pairs of a title and a diagnostic, which the server has for SHOWN.
SHOWN are diagnostics as in the protocol."
  (let ((actions (jsonrpc-request
                  (eglot-current-server) :textDocument/codeAction
                  (list :textDocument (list :uri (pollard-eglot-uri))
                        :range (plist-get (car shown) :range)
                        :context (list :diagnostics (vconcat shown)
                                       :only (vector pollard-diagnostics--kind))))))
    (or (seq-map #'pollard-diagnostics--offer actions)
        (user-error "Pollard cannot ask anybody for this diagnostic"))))

(defun pollard-diagnostics--offer (action)
  "Return the title and the diagnostic of ACTION."
  (when-let ((disabled (plist-get action :disabled)))
    (user-error "%s" (plist-get disabled :reason)))
  (let ((arguments (plist-get (plist-get action :command) :arguments)))
    (cons (plist-get action :title) (plist-get (elt arguments 0) :diagnostic))))

(defun pollard-diagnostics--of-protocol (diagnostic)
  "Return DIAGNOSTIC of Flymake as in the protocol."
  (or (cdr (assq 'eglot-lsp-diag (ignore-errors (flymake-diagnostic-data diagnostic))))
      (list :range (pollard-eglot-range (flymake-diagnostic-beg diagnostic)
                                        (flymake-diagnostic-end diagnostic))
            :message (flymake-diagnostic-text diagnostic)
            :source (format "%s" (flymake-diagnostic-backend diagnostic)))))


;;; The tools of a buffer, which are asked about candidates

(defun pollard-diagnostics--keep-tools ()
  "Remember what reports about this buffer, before Pollard takes its place."
  (unless (pollard-eglot-p)
    (setq pollard-diagnostics--backends
          (and (bound-and-true-p flymake-mode)
               (remq 'eglot-flymake-backend (flymake-running-backends))))
    (when-let ((server (eglot-current-server)))
      (unless (y-or-n-p "Eglot gives a buffer one language server; \
use Pollard in place of this one? ")
        (user-error "The buffer keeps its language server"))
      (pollard-diagnostics--detach server))))

(defun pollard-diagnostics--detach (server)
  "Take all buffers from SERVER, and let it run."
  (let ((eglot-autoshutdown nil))
    (dolist (buffer (eglot--managed-buffers server))
      (when (buffer-live-p buffer)
        (with-current-buffer buffer
          (eglot--signal-textDocument/didClose)
          (eglot--managed-mode-off)
          (pollard-diagnostics--end-server)
          (setq pollard-diagnostics--server server)
          (add-hook 'kill-buffer-hook #'pollard-diagnostics--end-server nil t)))))
  (let ((project (eglot--project server)))
    (puthash project (delq server (gethash project eglot--servers-by-project))
             eglot--servers-by-project)))

(defun pollard-diagnostics--end-server ()
  "End the server that this buffer had before Pollard, unless others had it, too."
  (let ((server pollard-diagnostics--server))
    (setq pollard-diagnostics--server nil)
    (when (and server (jsonrpc-running-p server)
               (not (seq-some (lambda (buffer)
                                (eq server (buffer-local-value 'pollard-diagnostics--server
                                                               buffer)))
                              (buffer-list))))
      (ignore-errors (eglot-shutdown server)))))

(defun pollard-diagnostics--on-managed ()
  "End the server from before Pollard once the buffer has another one."
  (when (and pollard-diagnostics--server (eglot-managed-p) (not (pollard-eglot-p)))
    (pollard-diagnostics--end-server)))

(add-hook 'eglot-managed-mode-hook #'pollard-diagnostics--on-managed)


;;; Answers to `pollard/diagnose'

(cl-defmethod eglot-client-capabilities ((_server pollard-eglot-server))
  "Announce that Emacs answers `pollard/diagnose'."
  (plist-put (cl-call-next-method) :experimental '(:pollardDiagnose t)))

(cl-defmethod eglot-handle-request
  ((_server pollard-eglot-server) (_method (eql 'pollard/diagnose)) &rest asked)
  "Answer what Emacs's tools report about the candidate in ASKED, but later.
Keys must not have to wait for that."
  (setq pollard-diagnostics--asked asked)
  pollard-diagnostics--later)

(cl-defmethod jsonrpc-connection-send :around
  ((server pollard-eglot-server) &key id result &allow-other-keys)
  "Send a message to SERVER, unless RESULT for request ID comes later."
  (if (not (eq result pollard-diagnostics--later))
      (cl-call-next-method)
    (let ((asked pollard-diagnostics--asked))
      (run-at-time 0 nil #'pollard-diagnostics--answer server id asked))))

(defun pollard-diagnostics--answer (server id asked)
  "Find out what the candidate in ASKED gets, and answer SERVER's request ID."
  (let ((buffer (pollard-eglot--buffer (plist-get asked :uri))))
    (condition-case oops
        (pollard-diagnostics--consult
         buffer asked
         (lambda (found)
           (when (jsonrpc-running-p server)
             (jsonrpc-connection-send server :id id
                                      :result (list :diagnostics (vconcat found))))))
      (error
       (jsonrpc-connection-send server :id id
                                :error (list :code -32803
                                             :message (error-message-string oops)))))))

(defun pollard-diagnostics--consult (buffer asked done)
  "Ask the tools of BUFFER about the candidate in ASKED.
Call DONE once with their diagnostics, when there are some of the wanted source
or the time is over."
  (let* ((server (and buffer (buffer-local-value 'pollard-diagnostics--server buffer)))
         (backends (and buffer (buffer-local-value 'pollard-diagnostics--backends buffer)))
         (found (make-hash-table :test #'eq))
         closers settled over)
    (unless (or (and server (jsonrpc-running-p server)) backends)
      (error "No other language server and no Flymake backend is known for the buffer"))
    (cl-labels
        ((all () (apply #'append (hash-table-values found)))
         (end ()
           (when over
             (mapc #'cancel-timer (delq nil (list settled over)))
             (setq over nil)
             (mapc #'funcall closers)
             (funcall done (all))))
         (take (who diagnostics)
           (puthash who diagnostics found)
           (when settled (cancel-timer settled))
           (setq settled
                 (and over (pollard-diagnostics--has (all) (plist-get asked :source))
                      (run-at-time pollard-diagnostics--settle-seconds nil #'end)))))
      (setq over (run-at-time (plist-get asked :seconds) nil #'end))
      (when (and server (jsonrpc-running-p server))
        (push (pollard-diagnostics--open server buffer asked (apply-partially #'take server))
              closers))
      (when backends
        (push (pollard-diagnostics--run backends buffer asked #'take) closers)))))

(defun pollard-diagnostics--has (diagnostics source)
  "Return whether one of DIAGNOSTICS has SOURCE, which is written without blanks."
  (seq-some (lambda (one)
              (equal source (replace-regexp-in-string "[[:space:]]" ""
                                                      (or (plist-get one :source) ""))))
            diagnostics))

(defun pollard-diagnostics--open (server buffer asked take)
  "Open the candidate in ASKED as a document of SERVER; return what closes it.
TAKE is called with the diagnostics.  The document's folder does not exist, but
is beside BUFFER's file, so that the settings of the project hold."
  (let* ((folder (file-name-directory (buffer-file-name buffer)))
         (number (cl-incf pollard-diagnostics--count))
         (name (format "pollard.%d/%s" number (plist-get asked :name)))
         (uri (pollard-eglot-folder-uri (expand-file-name name folder))))
    (puthash uri take pollard-diagnostics--waiting)
    (jsonrpc-notify server :textDocument/didOpen
                    (list :textDocument
                          (list :uri uri :version 0 :text (plist-get asked :text)
                                :languageId (plist-get asked :languageId))))
    (lambda ()
      (remhash uri pollard-diagnostics--waiting)
      (when (jsonrpc-running-p server)
        (jsonrpc-notify server :textDocument/didClose
                        (list :textDocument (list :uri uri)))))))

(cl-defmethod eglot-handle-notification :around
  ((_server eglot-lsp-server) (_method (eql 'textDocument/publishDiagnostics))
   &key uri diagnostics &allow-other-keys)
  "Take DIAGNOSTICS if URI is that of a candidate."
  (if-let ((take (gethash uri pollard-diagnostics--waiting)))
      (funcall take (append diagnostics nil))
    (cl-call-next-method)))

(defun pollard-diagnostics--run (backends buffer asked take)
  "Run BACKENDS of BUFFER on the candidate in ASKED; return what ends that.
TAKE is called with each backend and its diagnostics."
  (let ((hidden (generate-new-buffer " *Pollard candidate*")))
    (with-current-buffer hidden
      (insert (plist-get asked :text))
      (setq default-directory (buffer-local-value 'default-directory buffer))
      (delay-mode-hooks (funcall (buffer-local-value 'major-mode buffer)))
      (dolist (backend backends)
        (funcall backend
                 (lambda (reported &rest _)
                   (when (and (buffer-live-p hidden) (listp reported))
                     (funcall take backend
                              (pollard-diagnostics--reported backend hidden reported)))))))
    (lambda ()
      (when (buffer-live-p hidden)
        (let ((kill-buffer-query-functions nil))
          (kill-buffer hidden))))))

(defun pollard-diagnostics--reported (backend buffer diagnostics)
  "Return DIAGNOSTICS of Flymake's BACKEND about BUFFER as in the protocol."
  (with-current-buffer buffer
    (mapcar (lambda (one)
              (plist-put (pollard-diagnostics--of-protocol one)
                         :source (format "%s" backend)))
            diagnostics)))

(provide 'pollard-diagnostics)
;; Local Variables:
;; package-lint-main-file: "pollard.el"
;; End:
;;; pollard-diagnostics.el ends here
