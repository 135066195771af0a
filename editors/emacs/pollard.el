;;; pollard.el --- Shrink a file that makes a program fail  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;; Author: The Pollard developers
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: tools, languages, convenience
;; URL: https://pypi.org/project/pollard/

;;; Commentary:

;; You have a file that makes a compiler, a linter or an interpreter fail, and
;; want the few lines that matter.  `pollard-reduce' shrinks the buffer, or the
;; region, as long as a command of yours still shows the failure.  The buffer
;; shrinks while you watch, and Emacs stays usable.
;;
;; Pollard's language server does the work; `pip install .' in its
;; repository installs it, and Eglot connects to it.  Eglot gives each buffer one server.  After
;;
;;   (require 'pollard)
;;   (pollard-eglot-setup 'c-mode 'python-mode)
;;
;; `M-x eglot' starts Pollard for these modes.  In other modes, the commands
;; below connect the buffer to Pollard, and ask first if it has another server.
;;
;; No command runs without your consent.

;;; Code:

(require 'pollard-eglot)
(require 'diff)
(require 'pollard-diagnostics)

(defvar pollard--trials nil
  "Oracles that are being tried: alist from a check's id to the buffer.")


;;; Reducing

;;;###autoload
(defun pollard-reduce (&optional beg end oracle)
  "Reduce the region from BEG to END, or the whole buffer if they are nil.
Interactively, reduce the active region.  With a prefix argument, choose the
ORACLE if several are configured."
  (interactive (append (if (use-region-p) (list (region-beginning) (region-end)) '(nil nil))
                       (list (pollard--read-oracle current-prefix-arg))))
  (if (eq oracle 'configure)
      (call-interactively #'pollard-configure-oracle)
    (let ((range (and beg end (list :range (pollard-eglot-range beg end)))))
      (deactivate-mark)
      (apply #'pollard-eglot-request "pollard.reduce"
             (append range (and oracle (list :oracle oracle)))))))

;;;###autoload
(defun pollard-reduce-file (&optional oracle)
  "Reduce the whole buffer, even if a region is active.
With a prefix argument, choose the ORACLE if several are configured."
  (interactive (list (pollard--read-oracle current-prefix-arg)))
  (pollard-reduce nil nil oracle))

;;;###autoload
(defun pollard-reduce-folder (folder)
  "Reduce FOLDER into a new folder beside it, and show that in Dired.
Find out which of its files are needed, and shrink these.  No buffer changes.
An oracle for one file runs on the file of the current buffer."
  (interactive "DReduce folder: ")
  (pollard-eglot-ensure)
  (pollard-eglot-request "pollard.reduceFolder"
                         :uri (pollard-eglot-folder-uri folder)
                         :main (pollard-eglot-uri)))

;;;###autoload
(defun pollard-continue ()
  "Continue a reduction of the buffer that was stopped or interrupted."
  (interactive)
  (pollard-eglot-request "pollard.reduce" :resume t))

(defun pollard--read-oracle (choose)
  "Return the name of the oracle to use, nil for the default one.
If there is none, offer to configure one; return `configure' if the user agrees.
If CHOOSE is non-nil, let the user choose among several."
  (let* ((known (pollard-eglot-request "pollard.oracles"))
         (names (mapcar (lambda (oracle) (plist-get oracle :name)) (plist-get known :oracles))))
    (cond ((and (equal (plist-get known :reason) "none")
                (y-or-n-p "No oracle is configured for this file; configure one now? "))
           'configure)
          ((and choose (cdr names))
           (completing-read "Oracle: " names nil t nil nil (car names))))))


;;; Control of a running reduction

(defun pollard--control (command)
  "Send COMMAND to the buffer's reduction, or else to those of folders.
Show a message if there is none."
  (when (seq-empty-p (plist-get (pollard-eglot-request command) :ids))
    (if pollard-eglot-folders
        (dolist (uri pollard-eglot-folders)
          (pollard-eglot-request command :uri uri))
      (message "Pollard: no reduction of this buffer runs"))))

;;;###autoload
(defun pollard-stop ()
  "Stop reducing the buffer, and keep the best text so far."
  (interactive)
  (pollard--control "pollard.stop"))

;;;###autoload
(defun pollard-pause ()
  "Pause the reduction of the buffer."
  (interactive)
  (pollard--control "pollard.pause"))

;;;###autoload
(defun pollard-resume ()
  "Go on with the reduction of the buffer, from its present text."
  (interactive)
  (pollard--control "pollard.resume"))

;;;###autoload
(defun pollard-restore ()
  "Restore the text that the buffer had before it was reduced."
  (interactive)
  (pollard-eglot-request "pollard.restore"))

;;;###autoload
(defun pollard-show-log ()
  "Show the server's log."
  (interactive)
  (pollard-eglot-ensure)
  (eglot-stderr-buffer (eglot-current-server)))


;;; History

(defvar-local pollard--shown nil
  "The text that this buffer shows: (SOURCE RECORD NUMBER).
SOURCE is the reduced buffer.")

(defvar pollard-history-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "R") #'pollard-history-restore)
    (define-key map (kbd "O") #'pollard-history-restore-original)
    map)
  "Keymap of `pollard-history-mode'.")

(define-minor-mode pollard-history-mode
  "Minor mode of the diff that `pollard-history' shows."
  :lighter " Pollard"
  :keymap pollard-history-mode-map
  (setq header-line-format
        (and pollard-history-mode "R restores this text, O the original, q closes"))
  ;; In a read-only buffer, the keys of Diff mode override those of minor modes.
  (push (cons 'pollard-history-mode pollard-history-mode-map)
        minor-mode-overriding-map-alist))

;;;###autoload
(defun pollard-history ()
  "Choose an earlier text of the buffer, and compare it with the original."
  (interactive)
  (let* ((records (append (plist-get (pollard-eglot-request "pollard.history") :records) nil))
         (record (pollard--choose "Reduction: " (reverse records) #'pollard--record-title
                                  "This buffer has not been reduced yet"))
         (number (pollard--choose-text record)))
    (pollard--show-difference (current-buffer) (plist-get record :id) number)))

;;;###autoload
(defun pollard-folder-history (folder)
  "Choose a step of the latest reduction of FOLDER, and show its files in Dired."
  (interactive "DHistory of folder: ")
  (let* ((uri (pollard-eglot-folder-uri folder))
         (records (append (plist-get (pollard-eglot-request "pollard.history" :uri uri) :records)
                          nil))
         (record (pollard--choose "Reduction: " records #'pollard--record-title
                                  "This folder has not been reduced yet"))
         (shown (pollard-eglot-request "pollard.history" :uri uri
                                       :number (pollard--choose-text record))))
    (dired (pollard--path (plist-get shown :folder)))))

(defun pollard--choose (prompt items title error-message)
  "Let the user choose one of ITEMS with PROMPT; if there is one only, return it.
TITLE is a function that returns the title of an item.  If there are no ITEMS,
signal a `user-error' with ERROR-MESSAGE."
  (unless items
    (user-error "%s" error-message))
  (let ((titles (mapcar (lambda (item) (cons (funcall title item) item)) items)))
    (if (cdr items)
        (cdr (assoc (completing-read prompt (pollard--unsorted titles) nil t nil nil (caar titles))
                    titles))
      (car items))))

(defun pollard--unsorted (titles)
  "Return a completion table of TITLES that `completing-read' does not sort."
  (lambda (string predicate action)
    (if (eq action 'metadata)
        '(metadata (display-sort-function . identity) (cycle-sort-function . identity))
      (complete-with-action action titles string predicate))))

(defun pollard--record-title (record)
  "Return a title for RECORD."
  (cl-flet ((of (key) (plist-get record key)))
    (format "%s  %s → %s, %d runs, %.1f s, %s%s"
            (format-time-string "%F %T" (date-to-time (of :started)))
            (pollard-eglot-size (of :originalBytes)) (pollard-eglot-size (of :bytes))
            (of :runs) (of :seconds) (of :status)
            (if (string-empty-p (of :oracle)) "" (concat ", " (of :oracle))))))

(defun pollard--choose-text (record)
  "Let the user choose one of RECORD's texts; return its number."
  (let* ((steps (append (plist-get record :steps) nil))
         (original (list :number 0 :bytes (plist-get record :originalBytes))))
    (plist-get (pollard--choose "Text: " (append (reverse steps) (list original))
                                #'pollard--step-title nil)
               :number)))

(defun pollard--step-title (step)
  "Return a title for STEP."
  (cl-flet ((of (key) (plist-get step key)))
    (if (zerop (of :number))
        (format "the original, %s" (pollard-eglot-size (of :bytes)))
      (format "%d  %s, %d runs, %.1f s, %s" (of :number) (pollard-eglot-size (of :bytes))
              (of :runs) (of :seconds) (of :pass)))))

(defun pollard--text-buffer (name record number)
  "Return a buffer called NAME with text NUMBER of RECORD."
  (let ((text (plist-get (pollard-eglot-request "pollard.history"
                                                :record record :number number)
                         :text)))
    (with-current-buffer (get-buffer-create name)
      (erase-buffer)
      (insert text)
      (current-buffer))))

(defun pollard--show-difference (source record number)
  "Show how text NUMBER of RECORD differs from the original.
If NUMBER is 0, show how the buffer SOURCE differs from it now."
  (let ((original (pollard--text-buffer " *original*" record 0))
        (text (if (zerop number) source
                (pollard--text-buffer (format " *text %d*" number) record number)))
        (shown (get-buffer-create "*Pollard history*")))
    (diff-no-select original text nil t shown)
    (unless (zerop number) (kill-buffer text))
    (kill-buffer original)
    (with-current-buffer shown
      (setq pollard--shown (list source record number))
      (pollard-history-mode))
    (pop-to-buffer shown)))

(defun pollard--restore-shown (number)
  "Restore text NUMBER of the record that is shown; nil means the text shown."
  (pcase-let ((`(,source ,record ,shown) (or pollard--shown
                                             (user-error "Call `pollard-history' first"))))
    (with-current-buffer source
      (pollard-eglot-request "pollard.restore" :record record :number (or number shown)))
    (quit-window)))

(defun pollard-history-restore ()
  "Restore the text that is shown."
  (interactive)
  (pollard--restore-shown nil))

(defun pollard-history-restore-original ()
  "Restore the original of the reduction that is shown."
  (interactive)
  (pollard--restore-shown 0))


;;; Other failures

;;;###autoload
(defun pollard-reduce-other (record number)
  "Reduce another failure that an earlier reduction of the buffer saw.
RECORD is that reduction, and NUMBER that of the failure in it.  The buffer gets
the failure's text, which is then reduced for its own failure.
`pollard-restore' brings back the text from before all reductions."
  (interactive
   (let ((other (pollard--choose "Reduce which failure? " (pollard--others)
                                 #'pollard--other-title
                                 "No reduction of this buffer has seen another failure")))
     (list (plist-get other :record) (plist-get other :number))))
  (pollard-eglot-request "pollard.reduceOther" :record record :number number))

;;;###autoload
(defun pollard-reduce-other-of-folder (folder)
  "Reduce another failure that the latest reduction of FOLDER saw.
The result is in a new folder beside it, which Dired shows."
  (interactive "DReduce another failure of folder: ")
  (let* ((uri (pollard-eglot-folder-uri folder))
         (other (pollard--choose "Reduce which failure? " (pollard--others uri)
                                 #'pollard--other-title
                                 "No reduction of this folder has seen another failure")))
    (pollard-eglot-request "pollard.reduceOther" :uri uri :record (plist-get other :record)
                           :number (plist-get other :number))))

(defun pollard--others (&optional uri)
  "Return the other failures that reductions of the buffer saw, the newest first.
If URI is non-nil, it names a folder to look at instead.  Of those with the same
description, return only the newest, with its :record."
  (let* ((arguments (and uri (list :uri uri)))
         (records (plist-get (apply #'pollard-eglot-request "pollard.history" arguments)
                             :records))
         (others (seq-mapcat (lambda (record)
                               (seq-map (lambda (other)
                                          (append (list :record (plist-get record :id)) other))
                                        (plist-get record :others)))
                             (reverse records) 'list)))
    (cl-remove-duplicates others :test #'equal :from-end t
                          :key (lambda (other) (plist-get other :description)))))

(defun pollard--other-title (other)
  "Return a title for OTHER, a failure of another kind."
  (format "%s, %s" (plist-get other :description)
          (pollard-eglot-size (plist-get other :bytes))))


;;; Reports

;;;###autoload
(defun pollard-open-report ()
  "Open a page about the latest reduction of the buffer in the browser."
  (interactive)
  (browse-url (plist-get (pollard-eglot-request "pollard.report" :show :json-false) :uri)))


;;; Oracles

;;;###autoload
(defun pollard-check-oracle (&optional oracle)
  "Run the oracle on the buffer and show the outcome; change nothing.
With a prefix argument, choose the ORACLE if several are configured."
  (interactive (list (pollard--read-oracle current-prefix-arg)))
  (if (eq oracle 'configure)
      (call-interactively #'pollard-configure-oracle)
    (apply #'pollard-eglot-request "pollard.checkOracle"
           (and oracle (list :oracle oracle)))))

;;;###autoload
(defun pollard-configure-oracle (preset answers)
  "Set up an oracle for the file by PRESET and ANSWERS to its questions.
Interactively, ask what is wrong, and for a command.  Try that at once, with
your consent, and let you choose what shows the failure.  Then write the
settings file."
  (interactive (pollard--read-preset))
  (let ((check (pollard-eglot-request "pollard.checkOracle" :preset preset :answers answers)))
    (push (cons (plist-get check :id) (current-buffer)) pollard--trials)))

(defun pollard--read-preset ()
  "Ask what is wrong, and the questions of that preset.
Return a list of the preset's name and the answers."
  (let* ((presets (plist-get (pollard-eglot-request "pollard.presets") :presets))
         (preset (pollard--choose (format "What is wrong with %s? " (buffer-name))
                                  (append presets nil) #'pollard--preset-title nil)))
    (list (plist-get preset :name)
          (seq-mapcat #'pollard--read-answer (plist-get preset :questions)))))

(defun pollard--preset-title (preset)
  "Return a title for PRESET."
  (format "%s: %s" (plist-get preset :title) (plist-get preset :detail)))

(defun pollard--read-answer (question)
  "Ask QUESTION of a preset; return a property list of its name and the answer."
  (cl-flet ((of (key) (plist-get question key)))
    (let ((answer (string-trim (read-shell-command (concat (of :prompt) ": ") (of :default)))))
      (when (and (string-empty-p answer) (not (eq t (of :optional))))
        (user-error "Pollard needs an answer"))
      (list (intern (concat ":" (of :name))) answer))))

(defun pollard--on-checked (checked)
  "Show CHECKED, the outcome of a check; if it tried a new oracle, configure that.
CHECKED are the parameters of `pollard/checked'."
  (pollard--show-check checked)
  (when-let ((trial (assoc (plist-get checked :id) pollard--trials)))
    (setq pollard--trials (delq trial pollard--trials))
    (when (and (buffer-live-p (cdr trial)) (not (seq-empty-p (plist-get checked :criteria))))
      (with-current-buffer (cdr trial)
        (pollard--configure (plist-get checked :criteria))))))

(add-hook 'pollard-checked-functions #'pollard--on-checked)

(defun pollard--show-check (checked)
  "Show CHECKED in a window, without selecting it."
  (with-current-buffer (get-buffer-create "*Pollard check*")
    (let ((inhibit-read-only t))
      (erase-buffer)
      (insert (plist-get checked :description) "\n")
      (seq-do #'pollard--insert-run (plist-get checked :runs))
      (goto-char (point-min)))
    (special-mode)
    (display-buffer (current-buffer))))

(defun pollard--insert-run (run)
  "Insert the verdict, the duration and the output of RUN."
  (cl-flet ((of (key) (plist-get run key)))
    (insert (format "\n%s: %s, %.2f s\n" (of :verdict)
                    (if (of :signal) (format "ended by signal %d" (of :signal))
                      (format "exit code %s" (of :exitCode)))
                    (of :seconds)))
    (cl-loop for (title . key) in '(("standard output" . :stdout) ("standard error" . :stderr))
             unless (string-empty-p (of key))
             do (insert "--- " title "\n" (string-trim-right (of key)) "\n"))))

(defun pollard--configure (criteria)
  "Let the user choose one of CRITERIA; write the oracle with it."
  (let* ((titles (mapcar (lambda (one) (cons (pollard--criterion-title one) one)) criteria))
         (title (completing-read "What tells the failure? " (pollard--unsorted titles)
                                 nil t nil nil (caar titles)))
         (definition (plist-get (cdr (assoc title titles)) :definition))
         (configured (pollard-eglot-request "pollard.configureOracle" :definition definition)))
    (pollard--write-settings configured)
    (when (y-or-n-p (format "The oracle %s is configured; reduce %s now? "
                            (plist-get configured :name) (buffer-name)))
      (pollard-reduce-file (plist-get configured :name)))))

(defun pollard--criterion-title (criterion)
  "Return a title for CRITERION with the failure that a reduction will keep."
  (cl-flet ((of (key) (plist-get criterion key)))
    (let ((failure (or (of :failure) "")))
      (if (or (string-search failure (of :title)) (string-search (of :title) failure))
          (format "%s (%s)" (of :title) (of :detail))
        (format "%s (keeps %s; %s)" (of :title) failure (of :detail))))))

(defun pollard--write-settings (configured)
  "Write the settings file, whose URI and text are in CONFIGURED."
  (with-current-buffer (find-file-noselect (pollard--path (plist-get configured :uri)))
    (erase-buffer)
    (insert (plist-get configured :text))
    (save-buffer)))

(defun pollard--path (uri)
  "Return the name of the file at URI."
  (if (fboundp 'eglot-uri-to-path)
      (eglot-uri-to-path uri)
    (with-no-warnings (eglot--uri-to-path uri))))

(provide 'pollard)
;;; pollard.el ends here
